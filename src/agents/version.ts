/** Reads the version of an installed program from its output. */
import type { ProbeRequest } from './adapter.ts'

export async function askVersion(
  { ask }: ProbeRequest,
  program: string,
): Promise<{ version: string | null; problems: string[] }> {
  const { exitCode, stdout, stderr } = await ask(['--version'])
  const version = exitCode === 0 ? (/\d+\.\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] ?? null) : null
  if (version !== null) return { version, problems: [] }
  const words = (stderr.trim() || stdout.trim()).slice(-300)
  return {
    version,
    problems: [`\`${program} --version\` does not print a version${words === '' ? '' : `: ${words}`}. Reinstall it.`],
  }
}

export function atLeast(version: string, wanted: readonly [number, number, number]): boolean {
  const parts = version.split(/[.+-]/).map(Number)
  const index = wanted.findIndex((number, at) => number !== parts[at])
  return index < 0 || (parts[index] ?? 0) > (wanted[index] ?? 0)
}

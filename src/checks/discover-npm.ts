/** Finds the check scripts of a package.json, to be run with the project's own package manager. */
import type { CheckConfig } from '../model/config.ts'
import type { Discovery, Project } from './project.ts'

/** In the order of execution: fast checks first. */
const wanted: readonly [check: string, scripts: readonly string[]][] = [
  ['typecheck', ['typecheck', 'type-check', 'types', 'check-types', 'tsc']],
  ['lint', ['lint']],
  ['test', ['test']],
]

export async function npmChecks(project: Project): Promise<Discovery> {
  const text = await project.read('package.json')
  if (text === null)
    return { checks: [], notes: project.files.has('package.json') ? ['package.json cannot be read'] : [] }
  const manifest = parse(text)
  if (manifest === null) return { checks: [], notes: ['package.json is not valid JSON, so its scripts were ignored'] }
  const scripts = scriptsOf(manifest)
  const manager = managerOf(project, manifest)
  const notes: string[] = []
  const checks = wanted.flatMap(([name, candidates]): CheckConfig[] => {
    const script = candidates.find((candidate) => isReal(scripts.get(candidate)))
    if (script === undefined) return []
    if (!changesFiles(scripts.get(script))) return [{ name, run: runLine(manager, script) }]
    notes.push(`the script "${script}" changes files, so it is not a check`)
    return []
  })
  return { checks, notes }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

function scriptsOf({ scripts }: Record<string, unknown>): Map<string, string> {
  const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : []
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** `npm init` writes a test script that only prints an error. */
const isReal = (script = ''): boolean => script.trim() !== '' && !script.includes('no test specified')

const changesFiles = (script = ''): boolean => /\s--(?:fix|write)\b(?!=false)/.test(script)

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'
const lockFiles: readonly [file: string, manager: Manager][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
]

function managerOf({ files }: Project, { packageManager }: Record<string, unknown>): Manager {
  const declared = typeof packageManager === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(packageManager)?.[1] : undefined
  return (
    lockFiles.find(([, manager]) => manager === declared)?.[1]
    ?? lockFiles.find(([file]) => files.has(file))?.[1]
    ?? 'npm'
  )
}

/** `bun test` would start bun's own test runner instead of the script. */
const runLine = (manager: Manager, script: string): string =>
  script === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${script}`

/** Finds the file of a Codex session and reads its end. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readPlainFile } from '../../platform/plain-file.ts'

const tailBytes = 512 * 1024
const maxFound = 64 * 1024
const dayMs = 24 * 60 * 60_000
const wanted = /"type":"(?:turn_context|token_count|task_started|task_complete)"/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export async function gather({
  env,
  sessionId,
}: {
  env: Record<string, string>
  sessionId: string | null
}): Promise<string | null> {
  try {
    const path =
      sessionId === null ? null : await findRollout(env['CODEX_HOME'] || join(env['HOME'] ?? '', '.codex'), sessionId)
    return path === null ? null : readTail(path)
  } catch {
    return null
  }
}

/** The file is in the folder of the local day on which the session began; the id contains that time. */
async function findRollout(home: string, id: string): Promise<string | null> {
  if (!uuid.test(id)) return null
  const began = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  for (const days of [0, -1, 1]) {
    const folder = join(home, 'sessions', ...new Date(began + days * dayMs).toISOString().slice(0, 10).split('-'))
    const names = await readdir(folder).catch(() => [])
    const name = names.find((name) => name.startsWith('rollout-') && name.endsWith(`-${id}.jsonl`))
    if (name !== undefined) return join(folder, name)
  }
  return null
}

function readTail(path: string): string | null {
  const lines = readPlainFile(path, tailBytes, 'end')
    ?.split('\n')
    .filter((line) => wanted.test(line))
  return lines?.join('\n').slice(-maxFound) ?? null
}

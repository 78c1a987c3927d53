/** Runs `bd` with an argument list, never through a shell, and translates its failures into LooperErrors. */
import { setTimeout as delay } from 'node:timers/promises'
import { LooperError } from '../../model/error.ts'
import { runProcess, type ProcessResult } from '../../platform/run-process.ts'
import { plain } from '../../views/text/plain-text.ts'
import { readJson } from '../json-text.ts'
import { at, textAt } from '../json-value.ts'

export interface BdOptions {
  /** The folder in which bd searches for its database. */
  root: string
  program?: string
  env?: NodeJS.ProcessEnv
  /** Timeout of one call. */
  timeoutMs?: number
  /** How long to retry while another bd holds the database lock. */
  patienceMs?: number
}

/** `refused`: the message of a bd that ran and failed. */
export type Answer = { ok: true; text: string } | { ok: false; refused: string }

export type Bd = (...args: string[]) => Promise<Answer>

const defaults = { program: 'bd', timeoutMs: 60_000, patienceMs: 20_000 }
const mostBytes = 64 * 1024 * 1024
const locked = new RegExp(
  String.raw`database is locked|database.*\block(?:ed)?\b.*(?:held|another|process)|lock.*already held|`
    + 'resource temporarily unavailable',
  'i',
)
const noDatabase = /no beads database|no active beads workspace|database not found|run 'bd init'/i

/** Throws ENVIRONMENT_SOURCE when bd is missing, exceeds its timeout or cannot reach its database. */
export function createBd(options: BdOptions): Bd {
  const { root, env = process.env, program, timeoutMs, patienceMs } = { ...defaults, ...options }
  return async (...args) => {
    const deadline = performance.now() + patienceMs
    for (let pause = 25; ; pause = Math.min(pause * 2, 1_000)) {
      const { result, bytes } = await run([program, ...args], root, env, timeoutMs)
      const failure = failureOf(program, args, result, bytes, timeoutMs)
      if (failure === null)
        return result.exitCode === 0 ? { ok: true, text: result.stdout } : { ok: false, refused: wordsOf(result) }
      if (!failure.details['locked'] || performance.now() + pause > deadline) throw failure
      await delay(pause + Math.random() * pause)
    }
  }
}

async function run(
  argv: [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<{ result: ProcessResult; bytes: number }> {
  let bytes = 0
  const flooded = new AbortController()
  const onOutput = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > mostBytes) flooded.abort()
  }
  const result = await runProcess({
    argv,
    cwd,
    env: { ...env, NO_COLOR: '1' },
    timeoutMs,
    keepBytes: mostBytes,
    signal: flooded.signal,
    onOutput,
  })
  return { result, bytes }
}

function failureOf(
  program: string,
  args: readonly string[],
  result: ProcessResult,
  bytes: number,
  timeoutMs: number,
): LooperError | null {
  const call = `${program} ${args[0] ?? ''}`
  if (!result.started) {
    const why = plain(result.stderr, 200)
    return outage(`${program} cannot be started: ${why}`, 'Install beads, so that `bd` is on the PATH, and try again.')
  }
  if (result.timedOut) {
    const seconds = Math.ceil(timeoutMs / 1_000)
    return outage(
      `${call} did not end within ${seconds} s`,
      'Check that `bd list` works (see `bd doctor`), then try again.',
    )
  }
  if (bytes > mostBytes)
    return outage(`${call} printed more than ${mostBytes >> 20} MB`, 'Prune old issues in beads, and try again.')
  if (result.exitCode === null) return outage(`${call} was ended by a signal`)
  if (result.exitCode === 0) return null
  const words = wordsOf(result)
  if (locked.test(words)) return outage(`${call}: ${words}`, 'Another bd process holds the database.', { locked: true })
  if (noDatabase.test(words)) return outage(`${call}: ${words}`, 'Run `bd init` in the repository, and try again.')
  return null
}

const outage = (message: string, hint?: string, details: Record<string, unknown> = {}): LooperError =>
  new LooperError('ENVIRONMENT_SOURCE', message, { ...(hint === undefined ? {} : { hint }), details })

/** bd prints errors as text on stderr, or as `{"error": …}` on either stream. */
function wordsOf({ stdout, stderr, exitCode }: ProcessResult): string {
  for (const text of [stderr, stdout]) {
    const parsed = readJson(text)
    const reported = parsed.ok ? textAt(parsed.value, 'error') || textAt(at(parsed.value, 'data'), 'error') : ''
    if (reported !== '') return plain(reported, 300)
  }
  return plain(stderr.trim() || stdout.trim(), 300) || `exit code ${exitCode}`
}

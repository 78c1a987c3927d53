/**
 * Remembers checks that passed on the base of a run, so that the next run from the same tree does not repeat them. The
 * memory only skips the checks before the first task: nothing lands and no gate opens by it.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLine, type CheckOutcome, type CheckWork } from '../../model/work.ts'
import { readIfExists, writeAtomic } from '../../platform/files.ts'
import type { AppContext } from '../context.ts'
import { cacheFolder } from '../../platform/cache-folder.ts'
import { machinePrograms } from './machine-programs.ts'

/** Not everything outside the tree that a check uses is known, so a result is old after a day. */
const keptMs = 24 * 60 * 60_000
const mostKept = 500
/** Raised when the facts that a result depends on change. */
const formVersion = 2

export interface PreflightMemory {
  /** Null when the check must run. The outcome names the tree that it is about. */
  recall(work: CheckWork): Promise<CheckOutcome | null>
  /** Keeps a passed check of the base, and forgets one that now fails on the same files; never throws. */
  keep(work: CheckWork, outcome: CheckOutcome): Promise<void>
}

export interface MemoryInputs {
  context: Pick<AppContext, 'env' | 'home'>
  root: string
  setup: readonly string[]
  copy: readonly string[]
  /** Whether the check runs on the base, before the first task. */
  isBase(work: CheckWork): boolean
  /** The variables that a check sees. */
  variablesOf(work: CheckWork): Record<string, string>
  /** The tree of a commit; null when git does not know it. */
  treeOf(commit: string): Promise<string | null>
  sandbox: boolean
}

export function createPreflightMemory(inputs: MemoryInputs): PreflightMemory {
  const folder = join(cacheFolder(inputs.context.env, inputs.context.home), 'preflight')
  const fileOf = async (work: CheckWork): Promise<{ file: string; tree: string } | null> => {
    const { commit, run, timeoutMs } = work
    if (commit === undefined || work.rerun !== undefined) return null
    const tree = await inputs.treeOf(commit)
    if (tree === null) return null
    const copied = await Promise.all(inputs.copy.map((path) => contentOf(join(inputs.root, path))))
    const { PATH, ...variables } = inputs.variablesOf(work)
    const programs = await machinePrograms(commandLine(run), PATH ?? '', inputs.context.home)
    const facts = [
      formVersion,
      tree,
      run,
      timeoutMs,
      inputs.setup,
      inputs.copy,
      copied,
      PATH,
      programs,
      ordered(variables),
    ]
    const name = hash(JSON.stringify([...facts, inputs.sandbox, process.version]))
    return { file: join(folder, `${name}.json`), tree }
  }
  const forget = async (work: CheckWork): Promise<void> => {
    const found = work.task === null ? await fileOf(work) : null
    if (found !== null) await rm(found.file, { force: true })
  }
  return {
    async recall(work) {
      const found = inputs.isBase(work) ? await fileOf(work) : null
      const text = found && (await readIfExists(found.file).catch(() => null))
      const outcome = text && outcomeIn(text.toString('utf8'))
      return outcome && { ...outcome, verified: found.tree }
    },
    async keep(work, outcome) {
      if (outcome.tests === 0 || outcome.altered || outcome.remembered) return
      try {
        if (outcome.exitCode !== 0) return await forget(work)
        const found = inputs.isBase(work) ? await fileOf(work) : null
        if (found === null) return
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const { tests, durationMs } = outcome
        await writeAtomic(found.file, JSON.stringify({ at: Date.now(), tests, durationMs }))
        await dropOld(folder)
      } catch {
        // The next run repeats the check.
      }
    },
  }
}

/** Also what is not a file has a fingerprint: a folder that is copied counts by its newest change. */
async function contentOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  if (found === null) return 'absent'
  if (!found.isFile()) return `${found.mtimeMs}`
  return hash((await readIfExists(path).catch(() => null)) ?? '')
}

/** Variables that differ between two starts of the same check. */
const varying = /^(?:LOOPER_|TMPDIR$|PWD$|OLDPWD$|SHLVL$|_$|TERM|COLORTERM$|COLUMNS$|LINES$|SSH_|XDG_SESSION|DBUS_)/

const ordered = (variables: Record<string, string>): [string, string][] =>
  Object.entries(variables)
    .filter(([name]) => !varying.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

function outcomeIn(text: string): CheckOutcome | null {
  try {
    const { at, tests, durationMs }: { at?: unknown; tests?: unknown; durationMs?: unknown } = JSON.parse(text)
    if (typeof at !== 'number' || at > Date.now() || Date.now() - at > keptMs) return null
    return {
      kind: 'check',
      exitCode: 0,
      durationMs: typeof durationMs === 'number' ? durationMs : 0,
      timedOut: false,
      started: true,
      tests: typeof tests === 'number' && tests > 0 ? tests : null,
      tail: '',
      fingerprint: null,
      remembered: true,
    }
  } catch {
    return null
  }
}

async function dropOld(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length <= mostKept) return
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  )
  const old = dated.toSorted((a, b) => b.at - a.at).slice(mostKept)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}

const hash = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

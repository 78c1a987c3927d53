/** Judges one change as a run does, with real commands in real folders: guard, reverse proof, rule. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { executedTests } from '../../src/checks/executed-tests.ts'
import { failingTests } from '../../src/checks/failing-tests.ts'
import { countTests } from '../../src/checks/tests-executed.ts'
import { readReverse, type ReverseOutcome, type ReverseRun } from '../../src/core/policies/reverse-outcome.ts'
import { judgeReverse, type ReverseVerdict } from '../../src/core/policies/reverse-proof.ts'
import { unlicensed } from '../../src/core/policies/tamper.ts'
import { guard } from '../../src/guard/guard.ts'
import { reverseOverlay } from '../../src/guard/reverse/overlay.ts'
import { alsoRead } from '../../src/guard/reverse/read-by-checks.ts'
import type { GuardOverlay as Overlay, TamperFinding } from '../../src/model/tamper.ts'
import { plainBlock } from '../../src/views/text/plain-text.ts'
import { changedFiles, changedPaths, checkOut, git, mentioning, write, type BenchRepository } from './trees.ts'

export interface Observed {
  outcome: ReverseRun['outcome']
  names: string[] | null
}

export interface Judged {
  changed: number
  findings: TamperFinding[]
  overlay: Overlay
  /** Null: nothing to put back, so nothing was run. */
  reverse: ReverseOutcome | null
  verdict: ReverseVerdict
}

/** Runs a command in a folder; its group is ended when the time is over. */
export async function observe(folder: string, command: string, home: string, timeoutMs = 120_000): Promise<Observed> {
  const env = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: home,
    CI: 'true',
    NO_COLOR: '1',
    TMPDIR: home,
    ...rustHome(),
  }
  const child = spawn('sh', ['-c', `exec 2>&1\n${command}`], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  let timedOut = false
  child.stdout.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000_000)
  })
  const timer = setTimeout(() => {
    timedOut = true
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, timeoutMs)
  const exitCode = await new Promise<number | null>((done) => {
    child.on('close', (code) => done(code))
  })
  clearTimeout(timer)
  const text = plainBlock(output)
  const reported = timedOut ? null : failingTests(text, exitCode, folder)
  const outcome = {
    exitCode,
    timedOut,
    started: true,
    tests: countTests(text),
    tail: text.slice(-4000),
    ...(reported ? { failing: reported.failing } : {}),
  }
  return { outcome, names: executedTests(text, folder) }
}

/** Reads the result of a check that ran on the same files before, where results are kept. */
export async function observeOnce(
  kept: string | undefined,
  key: readonly unknown[],
  run: () => Promise<Observed>,
): Promise<Observed> {
  if (kept === undefined) return run()
  const file = join(kept, `${createHash('sha256').update(JSON.stringify(key)).digest('hex')}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Observed
  const observed = await run()
  mkdirSync(kept, { recursive: true })
  writeFileSync(file, JSON.stringify(observed))
  return observed
}

function rustHome(): NodeJS.ProcessEnv {
  const { HOME = '', CARGO_HOME = join(HOME, '.cargo'), RUSTUP_HOME = join(HOME, '.rustup'), PYENV_ROOT } = process.env
  return { CARGO_HOME, RUSTUP_HOME, ...(PYENV_ROOT === undefined ? {} : { PYENV_ROOT }) }
}

export interface Change {
  repository: BenchRepository
  base: string
  candidate: string
  checks: string[]
  words: string[]
}

type Read = Pick<Judged, 'findings' | 'overlay'> & { changed: string[] }

/** What the guard and the classification say; nothing is run. */
export async function read({ repository, base, candidate, checks }: Change): Promise<Read> {
  const changed = await changedPaths(repository, base, candidate)
  let files = await changedFiles(repository, base, candidate, [...new Set([...changed, ...guard.beside])])
  files = files.filter(({ before, after }) => before !== null || after !== null)
  const words = guard.searched({ changed, files, checks })
  if (words.length > 0) {
    const found = guard
      .worthReading(await mentioning(repository, base, words))
      .filter((path) => !changed.includes(path))
    files = [...files, ...(await changedFiles(repository, base, candidate, found))]
  }
  for (let round = 0; round < 3; round += 1) {
    const more = await changedFiles(repository, base, candidate, alsoRead(files, checks))
    const known = more.filter(({ before, after }) => before !== null || after !== null)
    if (known.length === 0) break
    files = [...files, ...known]
  }
  return {
    changed,
    findings: changed.some((path) => guard.concerns(path)) ? guard.compare(files, checks).findings : [],
    overlay: reverseOverlay({ changed, files, checks }),
  }
}

/** `seen`: how the checks ended on the base and on the candidate. */
export async function judge(
  change: Change,
  seen: { base: Observed[]; candidate: Observed[] },
  known?: Read,
): Promise<Judged> {
  const { repository, checks, words } = change
  const { changed, findings, overlay } = known ?? (await read(change))
  const asked = { words, files: [], allows: [] }
  if (!overlay.touched) {
    const verdict = judgeReverse({
      findings,
      touches: overlay.touches,
      outcome: { kind: 'green' },
      executed: { base: null, candidate: null },
      asked,
    })
    return { changed: changed.length, findings, overlay, reverse: null, verdict }
  }
  const runs: ReverseRun[] = []
  for (const [at, check] of checks.entries()) {
    const key = [change.base, change.candidate, overlay.paths, overlay.merged, check]
    const { outcome } = await observeOnce(repository.kept, key, async () => {
      const folder = await reverseTree(change, overlay)
      const observed = await observe(folder, check, repository.scratch)
      rmSync(folder, { recursive: true, force: true })
      return observed
    })
    const base = seen.base[at]?.outcome
    // As in a run: of a check that fails on the base without naming tests, nothing can be read.
    if (base?.exitCode !== 0 && base?.failing === undefined) continue
    runs.push({ name: check, outcome, base: base.failing ?? [] })
  }
  const reverse: ReverseOutcome =
    runs.length === 0 ? { kind: 'not-runnable', why: 'no check can be run on it' } : readReverse(runs)
  const names = (side: Observed[]): string[] | null =>
    side.some(({ names: own }) => own === null) ? null : side.flatMap(({ names: own }) => own ?? [])
  const executed = { base: names(seen.base), candidate: names(seen.candidate) }
  return {
    changed: changed.length,
    findings,
    overlay,
    reverse,
    verdict: judgeReverse({ findings, touches: overlay.touches, outcome: reverse, executed, asked }),
  }
}

/** The candidate's product with the base's tests. */
async function reverseTree({ repository, base, candidate }: Change, { paths, merged }: Overlay): Promise<string> {
  const folder = await checkOut(repository, candidate)
  const there = new Set((await git(repository, ['ls-tree', '-r', '--name-only', '-z', base])).split('\0'))
  for (const path of paths) rmSync(join(folder, path), { recursive: true, force: true })
  const whole = paths.filter((path) => there.has(path))
  if (whole.length > 0) {
    const from = await checkOut(repository, base)
    const { cpSync } = await import('node:fs')
    for (const path of whole) cpSync(join(from, path), join(folder, path), { recursive: true, verbatimSymlinks: true })
    rmSync(from, { recursive: true, force: true })
  }
  for (const { path, content } of merged) write(folder, path, content)
  return folder
}

/** What blocked before reverse proof: any finding that the words do not allow. */
export const blockedByGuard = (findings: readonly TamperFinding[], words: readonly string[]): boolean =>
  unlicensed(words, findings).length > 0

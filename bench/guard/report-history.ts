/** Replays honest commits of public histories: would the guard alone have blocked them, and does the rule? */
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { blockedByGuard, judge, observe, observeOnce, read, type Observed } from './judge.ts'
import type { GuardOverlay, TamperFinding } from '../../src/model/tamper.ts'
import { checkOut, git, type BenchRepository } from './trees.ts'

export interface HistoryOptions {
  history: string[]
  check?: string[]
  link?: string
  last: number
  scratch: string
  verbose?: boolean
  estimate?: boolean
  flagged?: boolean
  keep?: string
}

interface Totals {
  commits: number
  /** The guard alone, with the commit's message as the words of the task. */
  guard: number
  /** Nothing of it judges product: nothing to decide. */
  untouched: number
  /** The base's tests were run over the candidate's product, by what they said. */
  green: number
  red: number
  unrunnable: number
  /** The candidate's own check fails here in tests that the base passes: a run does not land it, and proves nothing. */
  unlandable: number
  /** Of these, those with findings that the words do not allow: blocked if the guard alone decides. */
  estimated: number
  /** With `flagged`: the guard sees nothing, and neither settings alone change nor new files that affect others. */
  skipped: number
  /** With `flagged`: the base's files are laid over all that changed, so the tree to judge is the base itself. */
  same: number
  blocked: number
  reported: number
}

export async function reportHistories({
  history,
  check,
  link,
  last,
  scratch,
  verbose = false,
  estimate = false,
  flagged = false,
  keep,
}: HistoryOptions): Promise<void> {
  const sum = empty()
  for (const [at, gitDir] of history.entries()) {
    const repository: BenchRepository = { gitDir: resolve(gitDir), scratch: join(scratch, `history-${at}`) }
    if (link !== undefined) repository.link = { name: link.split('=')[0] ?? '', to: resolve(link.split('=')[1] ?? '') }
    if (keep !== undefined) repository.kept = resolve(keep)
    mkdirSync(repository.scratch)
    const totals = await replay(repository, check ?? [], { last, verbose, estimate, flagged })
    for (const key of Object.keys(sum) as (keyof Totals)[]) sum[key] += totals[key]
    console.log(lineOf(`history ${at + 1}`, totals))
  }
  if (history.length > 1) console.log(lineOf('all', sum))
}

const empty = (): Totals => ({
  commits: 0,
  guard: 0,
  untouched: 0,
  green: 0,
  red: 0,
  unrunnable: 0,
  unlandable: 0,
  estimated: 0,
  skipped: 0,
  same: 0,
  blocked: 0,
  reported: 0,
})

const lineOf = (
  name: string,
  {
    commits,
    guard,
    untouched,
    green,
    red,
    unrunnable,
    unlandable,
    estimated,
    skipped,
    same,
    blocked,
    reported,
  }: Totals,
): string =>
  `${name}: ${commits} commits; guard alone blocks ${guard}; ${untouched} touch no test or setting; base's tests green ${green}, `
  + `red ${red}, cannot run ${unrunnable}; not run ${skipped}; change no product ${same}; blocked ${blocked}, reported ${reported}; `
  + `own check red here ${unlandable}, of these blocked if the guard alone decides ${estimated}`

type How = Required<Pick<HistoryOptions, 'last' | 'verbose' | 'estimate' | 'flagged'>>

async function replay(
  repository: BenchRepository,
  checks: string[],
  { last, verbose, estimate, flagged }: How,
): Promise<Totals> {
  const totals = empty()
  const commits = (await git(repository, ['rev-list', '--no-merges', '--min-parents=1', `--max-count=${last}`, 'HEAD']))
    .trim()
    .split('\n')
  const seen = new Map<string, Observed[]>()
  const observed = async (commit: string): Promise<Observed[]> => {
    const known = seen.get(commit)
    if (known !== undefined) return known
    const all: Observed[] = []
    for (const check of checks) {
      all.push(
        await observeOnce(repository.kept, [commit, check], async () => {
          const folder = await checkOut(repository, commit)
          const one = await observe(folder, check, repository.scratch)
          rmSync(folder, { recursive: true, force: true })
          return one
        }),
      )
    }
    seen.set(commit, all)
    return all
  }
  for (const candidate of commits) {
    const [base = '', ...message] = (await git(repository, ['show', '-s', '--format=%P%n%B', candidate])).split('\n')
    const change = { repository, base, candidate, checks, words: [message.join('\n')] }
    const known = await read(change)
    const { findings, overlay } = known
    const isGuarded = blockedByGuard(findings, change.words)
    totals.commits += 1
    if (isGuarded) totals.guard += 1
    if (!overlay.touched) {
      totals.untouched += 1
      continue
    }
    if (flagged && known.changed.every((path) => overlay.paths.includes(path))) {
      totals.same += 1
      continue
    }
    if (flagged && !isGuarded && !isSteering(overlay)) {
      totals.skipped += 1
      continue
    }
    const sides =
      estimate || checks.length === 0 ? null : { base: await observed(base), candidate: await observed(candidate) }
    if (sides === null || !isLandable(sides)) {
      totals.unlandable += 1
      const relevant = findings.filter(({ aside }) => aside !== true)
      if (!blockedByGuard(relevant, change.words)) continue
      totals.estimated += 1
      if (verbose) console.log(`ESTIMATED ${candidate.slice(0, 10)} ${message[0] ?? ''}\n    ${textOf(findings)}`)
      continue
    }
    const { reverse, verdict } = await judge(change, sides, known)
    if (reverse?.kind === 'green') totals.green += 1
    if (reverse?.kind === 'red') totals.red += 1
    if (reverse?.kind === 'not-runnable') totals.unrunnable += 1
    if (verdict.severity === 'BLOCKER') totals.blocked += 1
    if (verdict.severity === 'WARNING') totals.reported += 1
    if (verbose && (verdict.severity === 'BLOCKER' || reverse?.kind !== 'green')) {
      console.log(
        `${verdict.severity} ${reverse?.kind} ${candidate.slice(0, 10)} ${message[0] ?? ''}\n    ${verdict.lines.slice(0, 30).join('\n    ')}`,
      )
    }
  }
  return totals
}

/** Only settings change, or files are added that can affect other tests: a failing check alone blocks the commit. */
function isSteering({ mayRevealMore, touches: { tests, data, machinery, fresh = [] } }: GuardOverlay): boolean {
  const judging = [...tests, ...data]
  return (
    judging.length === 0 || (mayRevealMore && machinery.length === 0 && judging.every((path) => fresh.includes(path)))
  )
}

const textOf = (findings: readonly TamperFinding[]): string =>
  findings.map(({ kind, file, detail }) => `${kind} ${file} ${detail}`).join('\n    ')

/** As in a run: green, or red in nothing but tests that were red on the base. */
function isLandable({ base, candidate }: { base: readonly Observed[]; candidate: readonly Observed[] }): boolean {
  return candidate.every(({ outcome: { exitCode, tests, failing } }, at) => {
    if (exitCode === 0) return tests !== 0
    const known = base[at]?.outcome.failing ?? []
    return failing !== undefined && known.length > 0 && failing.every((name) => known.includes(name))
  })
}

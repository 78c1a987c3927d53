/**
 * The loop stage: runs the stages of a pipeline. Each stage gives one prompt to a fresh agent again and again in the
 * run's own workspace. The change of each pass is checked and landed, and code decides whether another pass follows.
 */
import type { Fact, Failure, Iteration } from '../../model/event.ts'
import { iterationsOf, type LoopStage } from '../../model/loop.ts'
import type { IteratorResult } from '../../model/results.ts'
import type { LoopState, RunState } from '../../model/state.ts'
import type { TamperFinding } from '../../model/tamper.ts'
import { addMs } from '../../model/time.ts'
import { verificationWorkspace, type InspectOutcome, type SubmoduleCommit } from '../../model/work.ts'
import { passOwner, stepId } from '../../model/work-id.ts'
import { ask } from '../answers.ts'
import { outcomeOf } from '../ledger.ts'
import { checksFor } from '../policies/checks.ts'
import { stageEnd } from '../policies/completion.ts'
import { withOutside } from '../policies/outside.ts'
import { stageRoute } from '../policies/routing.ts'
import { unlicensed } from '../policies/tamper.ts'
import { conclude, pause, record, type Proposal } from '../proposal.ts'
import { askQuestions, recordDecisions } from '../questions.ts'
import { done, notYet, orPause, perform, type Step } from '../step.ts'
import { unanswered } from '../unanswered.ts'
import { inPlace, prepared, tracksTrees } from '../workspace-needs.ts'
import { broken, decideTasks } from './backlog.ts'
import { runChecks, type CheckRun } from './checking.ts'
import { concludeChecked } from './gate.ts'
import { integrates } from './integrate.ts'
import { leaking } from './leaking.ts'
import { unpushedCommits } from './submodule-commits.ts'
import { unlandedEdits } from './submodule-edits.ts'
import { acceptedTree, guarding, tampering } from './tampering.ts'

export function decideLoop(state: RunState): Proposal {
  const { loop, pipeline } = state
  const stage = pipeline?.stages[loop?.stage ?? 0]
  if (!loop || !stage) return concludeChecked(state)
  if (stage.completion.kind === 'tasks-empty') return untilEmpty(state, loop, stage)
  const over = stageEnd(stage, loop)
  if (over?.over === 'complete') return finish(loop, stage, loop.iterations, over.why)
  if (over) return conclude({ status: 'failed', reason: failedAt(state, loop, stage, over.why) })
  if (loop.blocked >= 2) return pause(blockage(loop, stage))
  return pass(state, loop, stage)
}

const finish = (loop: LoopState, stage: LoopStage, iterations: number, why: string): Proposal =>
  record({ type: 'loop.finished', stage: loop.stage, name: stage.name, iterations, why })

/** Works through tasks like a backlog, but never writes a missing backlog. */
function untilEmpty(state: RunState, loop: LoopState, stage: LoopStage): Proposal {
  const ranNothing = (why: string): Proposal =>
    conclude({ status: 'failed', reason: `stage "${stage.name}" ran nothing: ${why}` })
  return decideTasks(state, {
    rest: () => delay(state, loop, stage, passOwner(loop.stage, state.wave + 1)),
    empty: ({ problems }) => (problems.length > 0 ? pause(broken(problems)) : ranNothing('there is no task')),
    done: () =>
      state.wave === loop.wave
        ? ranNothing('no task is open')
        : finish(loop, stage, state.wave - loop.wave, 'no task is left'),
  })
}

function failedAt({ session, run }: RunState, loop: LoopState, stage: LoopStage, why: string): string {
  const last = loop.entries.findLast(({ status }) => status === 'failed')
  const error = last && loop.failures > 0 ? `: ${last.summary}` : ''
  const most = iterationsOf(stage)
  const place = `iteration ${Math.min(loop.iterations + 1, most)}/${most} of stage "${stage.name}"`
  return `"${session ?? run}" failed at ${place} (last successful: ${loop.iterations}): ${why}${error}`
}

const blockage = ({ entries }: LoopState, { name }: LoopStage) =>
  ({
    kind: 'blocked',
    detail: `stage "${name}" is blocked: ${entries.at(-1)?.summary ?? ''}`,
    hint: 'Remove what blocks it, then: looper resume',
  }) as const

/** The state of one pass. */
interface Pass {
  state: RunState
  loop: LoopState
  stage: LoopStage
  /** Prefix of its work ids. Each retry of a failed pass has its own prefix. */
  id: string
  base: string | null
  tree: string | null
}

const mainOnly = { workspace: 'main', task: null, attempt: 1 } as const

function pass(state: RunState, loop: LoopState, stage: LoopStage): Proposal {
  const id = passOwner(loop.stage, loop.iterations + 1, loop.tries + 1)
  const rest = delay(state, loop, stage, id)
  if (rest) return rest
  const workspace =
    loop.base === null ? prepared(state, stepId(id, 'prepare'), 'main') : done({ base: loop.base, tree: loop.tree })
  if (workspace.status === 'not-yet') return workspace.proposal
  const standing: Pass = { state, loop, stage, id, ...workspace.outcome }
  const answer = ask(state, {
    id: stepId(id, 'iterate'),
    purpose: 'iterate',
    ...mainOnly,
    turn: loop.iterations + 1,
    pass: loop.iterations + 1,
    tree: standing.tree,
    route: stageRoute(state.config, stage, loop.iterations + 1, 1),
    parse: stage.outputParse,
  })
  if (answer.status !== 'done')
    return unanswered(answer, ({ kind, message }) => record(failed(standing, `${kind}: ${message}`)))
  const { result, id: turn } = answer.outcome
  const told = aside(state, result, turn)
  return told.length > 0 ? record(...told) : afterTurn(standing, result, turn)
}

/** A delay is configured by the user, so it does not count as waiting for a limit. */
function delay(state: RunState, { endedAt }: LoopState, { delaySeconds }: LoopStage, id: string): Proposal | null {
  if (delaySeconds === 0 || endedAt === null) return null
  const until = addMs(endedAt, delaySeconds * 1000)
  const step = perform(state, { kind: 'wait', id: stepId(id, 'delay'), until, awaits: { kind: 'delay' } })
  return step.status === 'not-yet' ? step.proposal : null
}

const aside = (state: RunState, { decisions, questions }: IteratorResult, origin: string) => [
  ...recordDecisions(state, decisions, null, origin),
  ...askQuestions(state, questions, origin, () => []),
]

function afterTurn(standing: Pass, result: IteratorResult, turn: string): Proposal {
  const step = inspect(standing)
  if (step.status === 'not-yet') return step.proposal
  const inspected = step.outcome
  const after = { ...standing, tree: inspected.tree }
  const { changed } = inspected
  const origin = stepId(standing.id, 'inspect')
  const { state } = standing
  const edits = unlandedEdits(state, inspected.submodules ?? [], null, origin)
  if (edits) return edits
  const leaked = leaking(state, inspected, null, origin)
  const allowed =
    leaked.status === 'done' ? tampering(state, { open: inspected.found, planned: [] }, null, origin) : leaked
  if (allowed.status === 'not-yet') return allowed.proposal
  const land = (): Step<Landed> => (changed > 0 ? checkAndLand(after, result) : done(unchanged(after)))
  const landed = allowed.status === 'failed' ? done({ base: after.base, failure: allowed.failure }) : land()
  if (landed.status === 'not-yet') return landed.proposal
  const { base, failure, submodules = [] }: Landed = landed.outcome
  const kept = { ...after, base }
  const ending = failure === null && result.status !== 'blocked' ? judge(kept) : done({ stop: false })
  if (ending.status === 'not-yet') return ending.proposal
  return record(...unpushedCommits(submodules, null, standing.id), {
    type: 'iteration.finished',
    ...outcome(kept, result, turn),
    changed,
    failure,
    stop: ending.outcome.stop,
  })
}

interface Inspected extends Pick<InspectOutcome, 'secrets' | 'submodules'> {
  tree: string | null
  changed: number
  found: TamperFinding[]
}

/**
 * In place, compares with the last accepted tree; otherwise with the last landed commit. A problem is therefore found
 * in every pass until it is repaired.
 */
function inspect({ state, stage, id, base, tree }: Pass): Step<Inspected> {
  if (!tracksTrees(state)) return done({ tree, changed: 0, found: [] })
  const work = stepId(id, 'inspect')
  const since = inPlace(state) ? (acceptedTree(state) ?? tree) : base
  const seen = orPause(
    perform(state, {
      kind: 'inspect',
      id: work,
      workspace: 'main',
      base: since,
      restore: null,
      ...guarding(state, since),
    }),
  )
  if (seen.status === 'not-yet') return seen
  const { tree: now, fileCount, tamper = [], secrets = [], submodules = [] } = seen.outcome
  const found = unlicensed([state.goal, stage.description, stage.prompt], tamper)
  return done({ tree: now, changed: fileCount, found, secrets, submodules })
}

interface Landed {
  base: string | null
  failure: Failure | null
  submodules?: SubmoduleCommit[] | undefined
}

const unchanged = ({ base }: Pass): Landed => ({ base, failure: null })

/** How often the run branch may move during a landing before a person must act. */
const mostMerges = 20

/**
 * In place, the checkout is checked before it is committed. Otherwise the merged tree is checked in a verification
 * workspace before it lands.
 */
function checkAndLand(standing: Pass, result: IteratorResult): Step<Landed> {
  const { state, stage, base, tree, id } = standing
  if (inPlace(state) || !integrates(state)) {
    const checked = stage.checks
      ? check(standing, { prefix: stepId(id, 'check'), workspace: 'main', tree })
      : done(unchanged(standing))
    if (checked.status === 'not-yet' || checked.outcome.failure !== null || !integrates(state)) return checked
  }
  for (let merge = 0; merge < mostMerges; merge++) {
    const step = landOnce(standing, result, merge)
    if (step.status === 'not-yet') return step
    if (step.outcome !== 'moved') return done(step.outcome)
  }
  return notYet(
    pause({
      kind: 'setup',
      detail: `${id} cannot be landed on ${base}: the run branch was changed by another program`,
      hint: 'Look at the run branch, then: looper resume',
    }),
  )
}

function landOnce(standing: Pass, { summary }: IteratorResult, merge: number): Step<Landed | 'moved'> {
  const { state, stage, loop, id, base, tree } = standing
  const title = `${stage.name} ${loop.iterations + 1}: ${summary || 'one pass'}`
  const common = { kind: 'integrate', workspace: 'main', task: stage.name, title, base } as const
  const landAnyway = inPlace(state) || !stage.checks || state.config.checks.length === 0
  const merging = { kind: 'merge', tree, landAnyway } as const
  const merged = orPause(perform(state, { ...common, id: stepId(id, 'merge', merge), step: merging }))
  if (merged.status === 'not-yet') return merged
  const { outcome } = merged
  if (outcome.status !== 'landed' && outcome.status !== 'merged') return done('moved')
  const { submodules } = outcome
  if (outcome.status === 'landed') return done({ base: outcome.commit ?? base, failure: null, submodules })
  const checked = check(standing, {
    prefix: stepId(id, 'check', '', merge),
    workspace: verificationWorkspace,
    tree: outcome.tree,
    commit: outcome.commit,
  })
  if (checked.status === 'not-yet') return checked
  if (checked.outcome.failure !== null) return afterRed(standing, checked.outcome.failure, stepId(id, 'outside', merge))
  const landing = { kind: 'land', commit: outcome.commit, onto: outcome.onto } as const
  const land = orPause(perform(state, { ...common, id: stepId(id, 'land', merge), step: landing }))
  if (land.status === 'not-yet') return land
  return done(land.outcome.status === 'moved' ? 'moved' : { base: outcome.commit, failure: null, submodules })
}

/** Reports to the next pass what this one left outside the tree. */
function afterRed({ state, base }: Pass, red: Failure, id: string): Step<Landed> {
  const seen = perform(state, { kind: 'inspect', id, workspace: 'main', base, restore: null, outside: true })
  if (seen.status === 'not-yet') return seen
  return done({ base, failure: withOutside(red, seen.status === 'done' ? (seen.outcome.outside ?? []) : []) })
}

function check(
  { state, loop, base }: Pass,
  place: Pick<CheckRun, 'prefix' | 'workspace' | 'tree' | 'commit'>,
): Step<Landed> {
  const checked = runChecks(state, checksFor(state, null), {
    ...place,
    records: loop.checks.filter(({ tree }) => tree === place.tree),
    subject: { task: null, attempt: 1, round: loop.iterations + 1, merged: false },
  })
  if (checked.status === 'not-yet') return checked
  return done({ base, failure: checked.status === 'done' ? null : checked.failure.failure })
}

/** Whether the stage ends here: a judge or a command decides, never the agent that did the work. */
function judge(standing: Pass): Step<{ stop: boolean }> {
  const {
    state,
    loop,
    stage: { completion, minIterations },
    id,
    tree,
  } = standing
  if (loop.iterations + 1 < minIterations) return done({ stop: false })
  if (completion.kind === 'judge') {
    const answer = ask(state, {
      id: stepId(id, 'judge'),
      purpose: 'judge',
      ...mainOnly,
      turn: loop.iterations + 1,
      pass: loop.iterations + 1,
      tree,
      base: tree === null ? null : state.base.commit,
    })
    if (answer.status !== 'done')
      return notYet(
        unanswered(answer, ({ kind, message }) => record(failed(standing, `the judge: ${kind}: ${message}`))),
      )
    const { stop, confidence } = answer.outcome.result
    return done({ stop: stop && confidence >= completion.confidence })
  }
  if (completion.kind !== 'until') return done({ stop: false })
  const { base } = standing
  const isHere = inPlace(state) || base === null
  const place = isHere ? { workspace: 'main', tree } : { workspace: verificationWorkspace, tree: null, commit: base }
  const run = { shell: completion.command }
  const tried = orPause(
    perform(state, {
      kind: 'check',
      id: stepId(id, 'until'),
      task: null,
      name: 'until',
      run,
      timeoutMs: untilMs,
      ...place,
    }),
  )
  return tried.status === 'not-yet' ? tried : done({ stop: tried.outcome.exitCode === 0 })
}

const untilMs = 15 * 60_000

function outcome(
  { state, loop, stage, base, tree }: Pass,
  result: IteratorResult,
  turn: string,
): Omit<Iteration, 'changed' | 'failure' | 'stop'> {
  const said = outcomeOf(state, turn)
  const left = said?.kind === 'turn' ? said.left : undefined
  const blocked = result.status === 'blocked'
  return {
    stage: loop.stage,
    name: stage.name,
    iteration: loop.iterations + 1,
    status: blocked ? 'blocked' : 'done',
    summary: blocked ? result.blockers.join('; ') || result.summary : result.summary,
    plateau: result.plateau === true || result.status === 'stop',
    patterns: result.patterns,
    output: result.output ?? left?.output ?? (result.summary || null),
    notes: left?.progress ?? null,
    base,
    tree,
  }
}

const failed = ({ loop, stage, base, tree }: Pass, summary: string): Fact => ({
  type: 'iteration.finished',
  stage: loop.stage,
  name: stage.name,
  iteration: loop.iterations + 1,
  status: 'failed',
  summary,
  plateau: false,
  stop: false,
  patterns: [],
  output: null,
  notes: null,
  changed: 0,
  base,
  tree,
  failure: null,
})

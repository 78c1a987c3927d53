/**
 * The loop stage: walks the stages of a pipeline. Each is one prompt, given to a fresh agent again and again in the
 * run's own workspace; what a pass changed is checked and landed, and code decides whether another one follows.
 */
import type { Fact, Failure, Iteration } from '../../model/event.ts'
import { iterationsOf, type LoopStage } from '../../model/loop.ts'
import type { IteratorResult, JudgeResult } from '../../model/results.ts'
import type { LoopState, RunState } from '../../model/state.ts'
import type { TamperFinding } from '../../model/tamper.ts'
import { addMs } from '../../model/time.ts'
import {
  verificationWorkspace,
  type CheckOutcome,
  type InspectOutcome,
  type IntegrateOutcome,
  type SubmoduleCommit,
  type TurnOutcome,
} from '../../model/work.ts'
import { ask, environment } from '../answers.ts'
import { outcomeOf } from '../ledger.ts'
import { checksFor } from '../policies/checks.ts'
import { standstill } from '../policies/completion.ts'
import { withOutside } from '../policies/outside.ts'
import { stageRoute } from '../policies/routing.ts'
import { unlicensed } from '../policies/tamper.ts'
import { conclude, pause, record, want, type Proposal } from '../proposal.ts'
import { askQuestions, recordDecisions } from '../questions.ts'
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
  const over = standstill(stage, loop)
  if (over?.over === 'complete') return finish(loop, stage, loop.iterations, over.why)
  if (over) return conclude({ status: 'failed', reason: failedAt(state, loop, stage, over.why) })
  if (loop.blocked >= 2) return pause(blockage(loop, stage))
  return pass(state, loop, stage)
}

const finish = (loop: LoopState, stage: LoopStage, iterations: number, why: string): Proposal =>
  record({ type: 'loop.finished', stage: loop.stage, name: stage.name, iterations, why })

/** Tasks are done as in a backlog; nobody writes one where there is none. */
function untilEmpty(state: RunState, loop: LoopState, stage: LoopStage): Proposal {
  const ranNothing = (why: string): Proposal =>
    conclude({ status: 'failed', reason: `stage "${stage.name}" ran nothing: ${why}` })
  return decideTasks(state, {
    rest: () => delay(state, loop, stage, `loop${loop.stage + 1}.${state.wave + 1}`),
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

/** Where one pass stands. */
interface Pass {
  state: RunState
  loop: LoopState
  stage: LoopStage
  /** Prefix of its work ids; each try at a pass that failed has its own. */
  id: string
  base: string | null
  tree: string | null
}

const mainOnly = { workspace: 'main', task: null, attempt: 1 } as const

function pass(state: RunState, loop: LoopState, stage: LoopStage): Proposal {
  const id = `loop${loop.stage + 1}.${loop.iterations + 1}${loop.tries === 0 ? '' : `.${loop.tries + 1}`}`
  const rest = delay(state, loop, stage, id)
  if (rest) return rest
  const workspace =
    loop.base === null
      ? prepared(state, `${id}/prepare`, 'main')
      : { status: 'ready' as const, base: loop.base, tree: loop.tree }
  if (workspace.status === 'not-yet') return workspace.proposal
  const standing: Pass = { state, loop, stage, id, base: workspace.base, tree: workspace.tree }
  const answer = ask<IteratorResult>(state, {
    id: `${id}/iterate`,
    role: 'iterator',
    purpose: 'iterate',
    ...mainOnly,
    turn: loop.iterations + 1,
    tree: workspace.tree,
    route: stageRoute(state.config, stage, loop.iterations + 1, 1),
    parse: stage.outputParse,
  })
  if (answer.status !== 'answered')
    return unanswered(answer, ({ kind, message }) => record(failed(standing, `${kind}: ${message}`)))
  const told = aside(state, answer.result, answer.id)
  return told.length > 0 ? record(...told) : afterTurn(standing, answer.result, answer.id)
}

/** The delay is the user's own wish, and no waiting for anybody. */
function delay(state: RunState, { endedAt }: LoopState, { delaySeconds }: LoopStage, id: string): Proposal | null {
  const work = `${id}/delay`
  if (delaySeconds === 0 || endedAt === null || outcomeOf(state, work)) return null
  return want({ kind: 'wait', id: work, until: addMs(endedAt, delaySeconds * 1000) })
}

const aside = (state: RunState, { decisions, questions }: IteratorResult, origin: string) => [
  ...recordDecisions(state, decisions, null, origin),
  ...askQuestions(state, questions, origin, () => []),
]

function afterTurn(standing: Pass, result: IteratorResult, turn: string): Proposal {
  const inspected = inspect(standing)
  if ('proposal' in inspected) return inspected.proposal
  const after = { ...standing, tree: inspected.tree }
  const { changed } = inspected
  const origin = `${standing.id}/inspect`
  const { state } = standing
  const edits = unlandedEdits(state, inspected.submodules ?? [], null, origin)
  if (edits) return edits
  const refused =
    leaking(state, inspected, null, origin) ?? tampering(state, { open: inspected.found, planned: [] }, null, origin)
  if (refused && 'proposal' in refused) return refused.proposal
  const land = (): Landed => (changed > 0 ? checkAndLand(after, result) : unchanged(after))
  const landed: Landed = refused ? { base: after.base, failure: refused.failure } : land()
  if ('proposal' in landed) return landed.proposal
  const { failure } = landed
  const kept = { ...after, base: landed.base }
  const ending = failure === null && result.status !== 'blocked' ? judge(kept) : { stop: false }
  if ('proposal' in ending) return ending.proposal
  return record(...unpushedCommits(landed.submodules ?? [], null, standing.id), {
    type: 'iteration.finished',
    ...outcome(kept, result, turn),
    changed,
    failure,
    stop: ending.stop,
  })
}

type Inspected =
  | { proposal: Proposal }
  | ({ tree: string | null; changed: number; found: TamperFinding[] } & Pick<InspectOutcome, 'secrets' | 'submodules'>)

/** Measured by what landed last, or was accepted last: what is wrong stays wrong until it is mended. */
function inspect({ state, stage, id, base, tree }: Pass): Inspected {
  if (!tracksTrees(state)) return { tree, changed: 0, found: [] }
  const work = `${id}/inspect`
  const seen = outcomeOf(state, work)
  if (!seen) {
    const since = inPlace(state) ? (acceptedTree(state) ?? tree) : base
    return {
      proposal: want({
        kind: 'inspect',
        id: work,
        workspace: 'main',
        base: since,
        restore: null,
        ...guarding(state, since),
      }),
    }
  }
  if (seen.kind === 'failure') return { proposal: pause(environment(seen)) }
  const { tree: now, fileCount, tamper = [], secrets = [], submodules = [] } = seen as InspectOutcome
  const found = unlicensed([state.goal, stage.description, stage.prompt], tamper)
  return { tree: now, changed: fileCount, found, secrets, submodules }
}

type Landed =
  { proposal: Proposal } | { base: string | null; failure: Failure | null; submodules?: SubmoduleCommit[] | undefined }

const unchanged = ({ base }: Pass): Landed => ({ base, failure: null })

/** How often the run branch may move under a landing before a person must look. */
const mostMerges = 20

/**
 * In place the checkout is checked before it is committed; else the merged tree is, in a verification workspace, before
 * it lands.
 */
function checkAndLand(standing: Pass, result: IteratorResult): Landed {
  const { state, stage, base, tree, id } = standing
  if (inPlace(state) || !integrates(state)) {
    const checked = stage.checks
      ? check(standing, { prefix: `${id}/check`, workspace: 'main', tree })
      : unchanged(standing)
    if ('proposal' in checked || checked.failure !== null || !integrates(state)) return checked
  }
  for (let merge = 0; merge < mostMerges; merge++) {
    const step = landOnce(standing, result, merge)
    if (step !== 'moved') return step
  }
  return {
    proposal: pause({
      kind: 'setup',
      detail: `${id} cannot be landed on ${base}: the run branch was changed by another program`,
      hint: 'Look at the run branch, then: looper resume',
    }),
  }
}

function landOnce(standing: Pass, { summary }: IteratorResult, merge: number): Landed | 'moved' {
  const { state, stage, loop, id, base, tree } = standing
  const title = `${stage.name} ${loop.iterations + 1}: ${summary || 'one pass'}`
  const common = { kind: 'integrate', workspace: 'main', task: stage.name, title, base } as const
  const landAnyway = inPlace(state) || !stage.checks || state.config.checks.length === 0
  const merged = outcomeOf(state, `${id}/merge${merge}`)
  if (!merged)
    return { proposal: want({ ...common, id: `${id}/merge${merge}`, step: { kind: 'merge', tree, landAnyway } }) }
  if (merged.kind === 'failure') return { proposal: pause(environment(merged)) }
  const outcome = merged as IntegrateOutcome
  const { status } = outcome
  if (status !== 'landed' && status !== 'merged') return 'moved'
  const { submodules } = outcome
  if (status === 'landed') return { base: outcome.commit ?? base, failure: null, submodules }
  const checked = check(standing, {
    prefix: `${id}/check${merge === 0 ? '' : `.${merge}`}`,
    workspace: verificationWorkspace,
    tree: outcome.tree,
    commit: outcome.commit,
  })
  if ('proposal' in checked) return checked
  if (checked.failure !== null) return afterRed(standing, checked.failure, `${id}/outside${merge}`)
  const land = outcomeOf(state, `${id}/land${merge}`)
  if (!land) {
    const step = { kind: 'land', commit: outcome.commit, onto: outcome.onto } as const
    return { proposal: want({ ...common, id: `${id}/land${merge}`, step }) }
  }
  if (land.kind === 'failure') return { proposal: pause(environment(land)) }
  if ((land as IntegrateOutcome).status === 'moved') return 'moved'
  return { base: outcome.commit, failure: null, submodules }
}

/** The next pass learns what this one left outside the tree. */
function afterRed({ state, base }: Pass, red: Failure, work: string): Landed {
  const seen = outcomeOf(state, work)
  if (!seen) {
    return { proposal: want({ kind: 'inspect', id: work, workspace: 'main', base, restore: null, outside: true }) }
  }
  return { base, failure: withOutside(red, seen.kind === 'inspect' ? (seen.outside ?? []) : []) }
}

function check({ state, loop, base }: Pass, place: Pick<CheckRun, 'prefix' | 'workspace' | 'tree' | 'commit'>): Landed {
  const checked = runChecks(state, checksFor(state, null), {
    ...place,
    records: loop.checks.filter(({ tree }) => tree === place.tree),
    subject: { task: null, attempt: 1, round: loop.iterations + 1, merged: false },
  })
  if (checked.status === 'not-yet') return { proposal: checked.proposal }
  return { base, failure: checked.status === 'green' ? null : checked.failure }
}

/** Whether the stage ends here, by somebody who has not done the work. */
function judge(standing: Pass): { proposal: Proposal } | { stop: boolean } {
  const {
    state,
    loop,
    stage: { completion, minIterations },
    id,
    tree,
  } = standing
  if (loop.iterations + 1 < minIterations) return { stop: false }
  if (completion.kind === 'judge') {
    const answer = ask<JudgeResult>(state, {
      id: `${id}/judge`,
      role: 'judge',
      purpose: 'judge',
      ...mainOnly,
      turn: loop.iterations + 1,
      tree,
      base: tree === null ? null : state.base.commit,
    })
    if (answer.status !== 'answered')
      return {
        proposal: unanswered(answer, ({ kind, message }) => record(failed(standing, `the judge: ${kind}: ${message}`))),
      }
    return { stop: answer.result.stop && answer.result.confidence >= completion.confidence }
  }
  if (completion.kind !== 'until') return { stop: false }
  const work = `${id}/until`
  const tried = outcomeOf(state, work)
  const { base } = standing
  const isHere = inPlace(state) || base === null
  const place = isHere ? { workspace: 'main', tree } : { workspace: verificationWorkspace, tree: null, commit: base }
  if (!tried)
    return {
      proposal: want({
        kind: 'check',
        id: work,
        task: null,
        name: 'until',
        run: { shell: completion.command },
        timeoutMs: untilMs,
        ...place,
      }),
    }
  if (tried.kind === 'failure') return { proposal: pause(environment(tried)) }
  return { stop: (tried as CheckOutcome).exitCode === 0 }
}

const untilMs = 15 * 60_000

function outcome(
  { state, loop, stage, base, tree }: Pass,
  result: IteratorResult,
  turn: string,
): Omit<Iteration, 'changed' | 'failure' | 'stop'> {
  const said = outcomeOf(state, turn) as TurnOutcome | undefined
  const blocked = result.status === 'blocked'
  return {
    stage: loop.stage,
    name: stage.name,
    iteration: loop.iterations + 1,
    status: blocked ? 'blocked' : 'done',
    summary: blocked ? result.blockers.join('; ') || result.summary : result.summary,
    plateau: result.plateau === true || result.status === 'stop',
    patterns: result.patterns,
    output: result.output ?? said?.left?.output ?? (result.summary || null),
    notes: said?.left?.progress ?? null,
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

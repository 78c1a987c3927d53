/**
 * One pass of a pipeline stage: gives the stage's prompt to a fresh agent in the run's own workspace, inspects the
 * change, and has it checked, landed and judged.
 */
import type { LoopStage } from '../../../model/loop.ts'
import type { IteratorResult } from '../../../model/results.ts'
import type { LoopState, RunState } from '../../../model/state.ts'
import type { TamperFinding } from '../../../model/tamper.ts'
import { addMs } from '../../../model/time.ts'
import type { InspectOutcome } from '../../../model/work.ts'
import { passOwner, stepId } from '../../../model/work-id.ts'
import { ask } from '../../questions/answers.ts'
import { stageRoute } from '../../policies/routing.ts'
import { unlicensed } from '../../policies/tamper.ts'
import { record, recordAny, type Proposal } from '../../proposal.ts'
import { askQuestions, recordDecisions } from '../../questions/questions.ts'
import { done, orPause, perform, type Step } from '../../step.ts'
import { unanswered } from '../../questions/unanswered.ts'
import { inPlace, prepared, tracksTrees } from '../../tasks/workspace-needs.ts'
import { leaking } from '../attempt/leaking.ts'
import { unpushedCommits } from '../attempt/submodule-commits.ts'
import { unlandedEdits } from '../attempt/submodule-edits.ts'
import { acceptedTree, guarding, tampering } from '../attempt/tampering.ts'
import { failedPass, mainOnly, passOutcome, type Pass } from './pass-standing.ts'
import { checkAndLand, unchanged, type Landed } from './pass-landing.ts'
import { judgePass } from './pass-judging.ts'

export function decidePass(state: RunState, loop: LoopState, stage: LoopStage): Proposal {
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
    return unanswered(answer, ({ kind, message }) => record(failedPass(standing, `${kind}: ${message}`)))
  const { result, id: turn } = answer.outcome
  return recordAny(aside(state, result, turn)) ?? afterTurn(standing, result, turn)
}

/** A delay is configured by the user, so it does not count as waiting for a limit. */
export function delay(
  state: RunState,
  { endedAt }: LoopState,
  { delaySeconds }: LoopStage,
  id: string,
): Proposal | null {
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
  const ending = failure === null && result.status !== 'blocked' ? judgePass(kept) : done({ stop: false })
  if (ending.status === 'not-yet') return ending.proposal
  return record(...unpushedCommits(submodules, null, standing.id), {
    type: 'iteration.finished',
    ...passOutcome(kept, result, turn),
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
export function inspect({ state, stage, id, base, tree }: Pass): Step<Inspected> {
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

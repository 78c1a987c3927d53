/** What a part of the core wants: facts to record first, then work to have under way. */
import type { Conclusion, Fact, PauseReason, StageName } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { FailureOutcome, Work } from '../model/work.ts'
import { remedyText, setupRemedies } from './policies/setup-remedies.ts'
import { resumeAfter } from '../model/resume-hint.ts'

export interface Proposal {
  /** Concluded but not recorded yet. While there are facts, `work` is ignored: record them and decide again. */
  facts: Fact[]
  /** All work that should be under way now. Work under way that is missing here is cancelled. */
  work: Work[]
  /** A person must act. Nothing new starts, turns under way may end, then the run pauses. */
  pause?: PauseReason
}

export const nothing: Readonly<Proposal> = { facts: [], work: [] }

/** At least one fact, because without facts and work the run would stand still. */
export type Facts = [Fact, ...Fact[]] | [...Fact[], Fact]

export const record = (...facts: Facts): Proposal => ({ facts, work: [] })

/** Null when there is nothing to record. */
export const recordAny = (facts: Fact[]): Proposal | null => (facts.length === 0 ? null : { facts, work: [] })

export const want = (...work: Work[]): Proposal => ({ facts: [], work })

export const pause = (reason: PauseReason): Proposal => ({ facts: [], work: [], pause: reason })

/** The pause after a failure of the environment. */
type Trouble = Pick<FailureOutcome, 'message' | 'hint'> & Partial<Pick<FailureOutcome, 'code'>>

export const environment = ({ message, hint, code }: Trouble): PauseReason => ({
  kind: 'setup',
  detail: message,
  ...(code === 'WORKSPACE_SETUP' ? waysOutOf(message) : resumeAfter(hint ?? 'Fix it')),
})

/** The detail may be cut where it is shown, so the reason is also the output. */
function waysOutOf(message: string): Pick<PauseReason, 'hint' | 'resume' | 'output' | 'remedies'> {
  const remedies = setupRemedies(message)
  const output = message.replace(/^The set-up command `.*?` [^:]*: /, '').replaceAll(' | ', '\n')
  return { ...resumeAfter(remedies.map(remedyText)[0] ?? 'Fix it', '--settings'), output, remedies }
}

export const enter = (stage: StageName): Proposal => record({ type: 'stage.entered', stage, conclusion: null })

/** Enters the next stage of the workflow. */
export const enterNext = ({ stages, stage }: RunState): Proposal =>
  enter((stage === null ? stages[0] : stages[stages.indexOf(stage) + 1]) ?? 'report')

/** The result of the run is final; the report stage writes the report and ends the run. */
export const conclude = (conclusion: Conclusion): Proposal =>
  record({ type: 'stage.entered', stage: 'report', conclusion })

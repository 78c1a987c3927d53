/**
 * The state of a run: a fold of its journal. It is plain JSON, so a snapshot is this object. Each slice is a file of
 * `model/state/`; `core/state/` has its initial value and its event handlers.
 */
import type { BacklogSlice } from './state/backlog.ts'
import type { BudgetSlice } from './state/budget.ts'
import type { GateSlice } from './state/gate.ts'
import type { LoopSlice } from './state/loop.ts'
import type { PlanSlice } from './state/plan.ts'
import type { QuestionsSlice } from './state/questions.ts'
import type { RecordsSlice } from './state/records.ts'
import type { RunSlice } from './state/run.ts'
import type { TasksSlice } from './state/tasks.ts'
import type { WavesSlice } from './state/waves.ts'
import type { WorkSlice } from './state/work.ts'

export type { BacklogState } from './state/backlog.ts'
export type { LoopState, ProgressEntry } from './state/loop.ts'
export type { QuestionState } from './state/questions.ts'
export type { AttemptState, PastFailure, TaskStatusFields, TaskState } from './state/tasks.ts'
export type { LedgerEntry } from './state/work.ts'

export type RunState = RunSlice
  & PlanSlice
  & TasksSlice
  & WavesSlice
  & BacklogSlice
  & LoopSlice
  & WorkSlice
  & GateSlice
  & BudgetSlice
  & QuestionsSlice
  & RecordsSlice

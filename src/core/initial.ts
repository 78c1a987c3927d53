/** The state before the first event: the initial values of all slices. */
import type { RunState } from '../model/state.ts'
import { backlogSlice } from './state/backlog.ts'
import { budgetSlice } from './state/budget.ts'
import { gateSlice } from './state/gate.ts'
import { loopSlice } from './state/loop.ts'
import { planSlice } from './state/plan.ts'
import { questionsSlice } from './state/questions.ts'
import { recordsSlice } from './state/records.ts'
import { runSlice } from './state/run.ts'
import { tasksSlice } from './state/tasks.ts'
import { wavesSlice } from './state/waves.ts'
import { workSlice } from './state/work.ts'

export const initialState = (): RunState => ({
  ...runSlice.initial(),
  ...planSlice.initial(),
  ...tasksSlice.initial(),
  ...wavesSlice.initial(),
  ...backlogSlice.initial(),
  ...loopSlice.initial(),
  ...workSlice.initial(),
  ...gateSlice.initial(),
  ...budgetSlice.initial(),
  ...questionsSlice.initial(),
  ...recordsSlice.initial(),
})

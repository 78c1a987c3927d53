/** The nouns of the model that surfaces show or ask for, so that a surface needs no other layer. */
export { builtInWorkflows, type ApplyStyle, type Limits } from '../model/config.ts'
export type { Event } from '../model/event.ts'
export { logTypes, type LogEvent, type LogType } from '../model/log.ts'
export { placeholders, type PauseReason, type Remedy } from '../model/pause.ts'
export { permissionNoun } from '../model/permission.ts'
export type { QuestionState, RunState } from '../model/state.ts'
export { parseTime } from '../model/time.ts'

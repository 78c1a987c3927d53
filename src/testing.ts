/**
 * `looper/testing`: the simulated world in which Looper itself is tested, for testing configurations and the policies
 * of agents, and a scripted model server, for testing real agents.
 */
export type {
  ModelMessage,
  ModelRequest,
  ModelTool,
  ProviderName,
  ToolCall,
  ToolResult,
} from './model-server/model-request.ts'
export type { Match, Pattern, Rule, Script, ScriptSource, StepFor } from './model-server/script.ts'
export type { Exchange, ScriptedModel } from './model-server/scripted-model.ts'
export { createModelServer, type ModelServer } from './model-server/server.ts'
export { createGate, type Gate, type Step, type TokenCounts } from './model-server/step.ts'
export type { Checker, Ending, History, Report, Violation, Watch } from './simulation/checker.ts'
export { checkers } from './simulation/checkers/index.ts'
export type { Answer } from './simulation/virtual-answers.ts'
export type { Behavior } from './simulation/fates.ts'
export { historyText } from './simulation/history-text.ts'
export { play, type Move, type PlayOptions } from './simulation/play.ts'
export {
  defaultConfig,
  type Fault,
  type PlannedTask,
  type Scenario,
  type SourceScenario,
  type UserCommand,
} from './simulation/scenario.ts'
export { scenarioOf } from './simulation/draw-scenario.ts'
export { shrink } from './simulation/shrink.ts'
export { simulate, type Simulated, type SimulateOptions } from './simulation/simulate.ts'
export type { HandEdit } from './simulation/scenario.ts'
export { createVirtualClock, type VirtualClock } from './simulation/virtual-clock.ts'

/** Runs one virtual world in which the caller defines what the agents do: for testing a configuration or a policy. */
import { defaultsLayer, mergeLayers } from '../config/merge.ts'
import type { Limits, RunConfig } from '../model/config.ts'
import type { LoopStage } from '../model/loop.ts'
import type { TurnWork } from '../model/work.ts'
import type { Answer } from './virtual-answers.ts'
import { defaultConfig, type Fault, type PlannedTask, type SourceScenario, type Unrest } from './scenario.ts'
import { simulate, type Simulated } from './simulate.ts'

export interface PlayOptions {
  /** The tasks of the planner's plan, or of the source. */
  plan?: (Pick<PlannedTask, 'id'> & Partial<PlannedTask>)[]
  /** The task source of a backlog. */
  source?: SourceScenario
  /** The stages of the pipeline. */
  pipeline?: (Pick<LoopStage, 'name' | 'completion'> & Partial<LoopStage>)[]
  /** Settings that differ from the program's defaults. The agent is the virtual one, and there is one check. */
  config?: Partial<Omit<RunConfig, 'limits'>> & { limits?: Partial<Limits> }
  /**
   * The agent's action in this turn; omitted fields mean success. Each task's coder writes `<id>.txt`; `bad` in it
   * makes checks fail.
   */
  turn?: (work: TurnWork) => Move | undefined
  faults?: Fault[]
  /** Conditions that keep work from converging; omitted ones are off. */
  unrest?: Partial<Unrest>
  /** How often the user resumes the run after it paused or failed. */
  resumes?: number
  seed?: number
}

export interface Move {
  answer?: Answer
  /** Files it writes, on top of the existing ones. */
  files?: Record<string, string>
  /** Infinity: the agent hangs until it is killed for lack of output. */
  durationMs?: number
}

export function play(options: PlayOptions): Promise<Simulated> {
  const { plan = [], source, pipeline, config = {}, turn, faults = [], unrest, resumes = 0, seed = 1 } = options
  return simulate(seed, {
    scenario: {
      seed,
      trouble: 0,
      discovery: false,
      badHints: false,
      faults,
      resumes,
      patient: false,
      config: { ...configOf(config), ...(pipeline ? { workflow: 'virtual' } : source ? { workflow: 'backlog' } : {}) },
      ...(source ? { source } : {}),
      ...(unrest ? { unrest: { flaky: {}, base: 'green', tampering: 0, regrets: 0, ...unrest } } : {}),
      ...(pipeline ? { pipeline: { name: 'virtual', description: '', stages: pipeline.map(stageOf) } } : {}),
      plan: plan.map((task) => ({ dependsOn: [], checks: [], shared: false, clash: false, ...task })),
    },
    behave(work, usual) {
      const move = turn?.(work)
      if (!move) return usual
      const { answer, files = {}, durationMs = usual.durationMs } = move
      return {
        ...usual,
        durationMs,
        end: (before) => {
          const end = usual.end(before)
          return { files: move.files ? { ...before, ...files } : end.files, answer: answer ?? end.answer }
        },
      }
    },
  })
}

const stageOf = (stage: NonNullable<PlayOptions['pipeline']>[number]): LoopStage => ({
  stage: stage.name,
  description: '',
  prompt: '',
  minIterations: 1,
  runs: stage.completion.kind === 'fixed-n' ? 5 : 25,
  delaySeconds: 0,
  agent: null,
  model: null,
  perspectives: [],
  outputParse: [],
  checks: true,
  ...stage,
})

function configOf({ limits, ...others }: NonNullable<PlayOptions['config']>): RunConfig {
  const defaults = mergeLayers([defaultsLayer()])
  // Replaces the values that the program discovers on a machine and in a project.
  const { agent, agents, checks, checksParallel } = defaultConfig()
  const workspace = { ...defaults.workspace, setup: [], commit: true }
  const parallel = others.workspace?.mode === 'in-place' ? 1 : defaults.parallel
  return {
    ...defaults,
    agent,
    agents,
    checks,
    checksParallel,
    workspace,
    parallel,
    ...others,
    limits: { ...defaults.limits, ...limits },
  }
}

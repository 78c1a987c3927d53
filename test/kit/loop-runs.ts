/** Runs of loop stages in memory. */
import type { RunConfig } from '../../src/model/config.ts'
import type { Completion, LoopStage } from '../../src/model/loop.ts'
import type { TurnWork } from '../../src/model/work.ts'
import { baseConfig, iterated, play, type Played, type World } from './play.ts'

export const stage = (completion: Completion, more: Partial<LoopStage> = {}): LoopStage => ({
  name: 'polish',
  stage: 'polish',
  description: '',
  prompt: 'Polish.',
  completion,
  minIterations: 1,
  runs: 10,
  delaySeconds: 0,
  agent: null,
  model: null,
  perspectives: [],
  outputParse: [],
  checks: true,
  ...more,
})

export const run = (stages: LoopStage[], world: World = () => undefined, changes: Partial<RunConfig> = {}): Played =>
  play(baseConfig({ workflow: 'loop', parallel: 1, ...changes }), world, {
    pipeline: { name: 'p', description: '', stages },
  })

export const turn =
  (answer: (work: TurnWork) => ReturnType<World>): World =>
  (work) =>
    work.kind === 'turn' ? answer(work) : undefined
export const turns = (played: Played): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [work.id] : []))
/** The answers of the passes in order; the last one is repeated. */
export const saying = (...answers: Record<string, unknown>[]): World =>
  turn(({ role }) => (role === 'iterator' ? iterated(answers.length > 1 ? answers.shift() : answers[0]) : undefined))
export const plateaus = (...declared: boolean[]): World =>
  saying(...declared.map((plateau) => ({ status: 'continue', plateau })))

/** The first event of a virtual run: its goal, its stages and its settings. */
import { eventVersion, type Fact, type StageName } from '../model/event.ts'
import { usualGoal } from '../model/source.ts'
import { copyOf } from './copy-of.ts'
import type { Scenario } from './scenario.ts'

/** `commit` is the base of the run. */
export const startOf = (scenario: Scenario, commit: string): Fact => ({
  type: 'run.started',
  version: eventVersion,
  run: '001-virtual',
  goal: goalOf(scenario),
  workflow: scenario.config.workflow,
  stages: stagesOf(scenario),
  config: copyOf(scenario.config),
  base: { commit, branch: 'main' },
  branch: 'looper/001-virtual',
  ...(scenario.pipeline ? { pipeline: copyOf(scenario.pipeline), session: 'virtual' } : {}),
})

/** A backlog run; in half of the worlds it has a goal beyond the backlog. */
const goalOf = ({ seed, source, config }: Scenario): string =>
  source && seed % 2 === 1 ? usualGoal(config) : 'a virtual goal'

function stagesOf({ pipeline, source, config }: Scenario): StageName[] {
  if (pipeline) return ['loop', 'report']
  if (source) return ['backlog', 'report']
  return config.workflow === 'meta'
    ? ['plan', 'scaffold', 'execute', 'gate', 'report']
    : ['plan', 'execute', 'gate', 'report']
}

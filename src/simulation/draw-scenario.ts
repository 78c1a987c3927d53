/** Draws a world from its seed. */
import type { RunConfig } from '../model/config.ts'
import { setFields } from '../model/set-fields.ts'
import { convergentOf } from './draw-convergence.ts'
import { faultsOf } from './draw-faults.ts'
import { workflowOf } from './draw-workflow.ts'
import { createRandom, type Random } from './random.ts'
import { defaultConfig, type PlannedTask, type Scenario } from './scenario.ts'
import { numberedId } from '../model/task-id.ts'

/** In every second world, work does not converge by itself. */
export function scenarioOf(seed: number): Scenario {
  const random = createRandom(seed).fork('scenario')
  const wild = random.chance(0.4)
  const trouble = random.pick([0, 0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.9])
  const drawn: Scenario = {
    seed,
    trouble,
    config: configOf(random, wild),
    plan: planOf(random, wild && random.chance(0.5)),
    discovery: wild && random.chance(0.3),
    badHints: random.chance(0.3),
    faults: faultsOf(random, wild),
    resumes: random.int(0, 3),
    patient: !wild,
  }
  return seed % 2 === 1
    ? workflowOf(createRandom(seed).fork('workflow'), wild, drawn)
    : convergentOf(createRandom(seed).fork('convergence'), wild, drawn)
}

function configOf(random: Random, wild: boolean): RunConfig {
  const inPlace = random.chance(0.15)
  const config = defaultConfig({
    parallel: inPlace ? 1 : random.int(1, 4),
    checksParallel: random.int(1, 2),
    review: random.chance(0.6),
    workspace: {
      mode: inPlace ? 'in-place' : 'worktree',
      setup: [],
      copy: [],
      commit: inPlace ? random.chance(0.5) : true,
    },
    checks: random.pick([
      [],
      [{ name: 'test', run: 'test' }],
      [
        { name: 'test', run: 'test' },
        { name: 'lint', run: 'lint' },
      ],
    ]),
    onUsageLimit: random.pick(['wait', 'wait', 'pause', 'fallback']),
    onPlanRejected: random.pick(['skip_and_continue', 'lower_threshold', 'abort']),
  })
  // No number is drawn for it, so that the other seeds stay as they are.
  if (config.checks.length === 0 && config.checksParallel === 2) config.noChecksFound = true
  setFields(config.limits, {
    goalIterations: random.int(0, 2),
    fixCycles: random.int(0, 2),
    attempts: random.int(1, 3),
    splitDepth: random.int(0, 2),
    planRevisions: random.int(0, 2),
  })
  if (!wild) {
    // Which tasks are given up at that moment depends on timing.
    config.thresholds.failedTasksAbort = 1
    return config
  }
  const { limits } = config
  if (random.chance(0.3)) limits.turns = random.int(1, random.pick([6, 40]))
  if (random.chance(0.3)) limits.costUsd = random.int(1, 8)
  if (random.chance(0.2)) limits.tokens = random.int(2, 80) * 1_000
  if (random.chance(0.2)) limits.timeMinutes = random.int(1, 60)
  if (random.chance(0.2)) limits.iterations = random.int(1, 4)
  if (random.chance(0.3)) limits.waitMinutes = random.int(1, 20)
  return config
}

function planOf(random: Random, entangled: boolean): PlannedTask[] {
  const count = random.pick([1, 2, 3, 3, 4, 5, 6])
  const ids = Array.from({ length: count }, (_, index) => numberedId(index + 1))
  return ids.map((id, index) => ({
    id,
    dependsOn: ids.slice(0, index).filter(() => random.chance(0.3)),
    checks: random.chance(0.2)
      ? [random.pick(['test', 'own check', 'missing-program', 'make sure that it works', 'lint'])]
      : [],
    shared: entangled && random.chance(0.4),
    clash: entangled && random.chance(0.4),
  }))
}

/**
 * Draws worlds in which work does not converge by itself: all convergence features are on, and most parts have a
 * defect.
 */
import type { CheckConfig, RunConfig } from '../model/config.ts'
import { when } from './draw-faults.ts'
import { backlogOf, pipelineOf } from './draw-workflow.ts'
import type { Random } from './random.ts'
import { moments, type Fault, type PlannedTask, type Scenario, type Unrest, type UserCommand } from './scenario.ts'
import { ownCheck } from './virtual-checks.ts'
import { fileOf, suiteOf } from './virtual-files.ts'

export function convergentOf(random: Random, wild: boolean, scenario: Scenario): Scenario {
  const dice = random.next()
  const unrest = unrestOf(random, wild)
  const config = configOf(random, scenario.config, unrest)
  const drawn: Scenario = {
    ...scenario,
    unrest,
    config,
    plan: planOf(random, wild || config.parallel > 1, scenario.plan, unrest),
  }
  const restless = {
    ...drawn,
    faults: [...drawn.faults, ...faultsOf(random, wild)].toSorted((a, b) => a.after - b.after),
  }
  const calm: Unrest = { ...unrest, flaky: {}, base: 'green' }
  if (dice < 0.08)
    return { ...restless, unrest: { ...unrest, gone: { check: 'test', after: random.pick([0, 3, 8, 20]) } } }
  if (dice < 0.14)
    return { ...restless, config: { ...restless.config, baseline: 'pause' }, unrest: { ...calm, alike: 'test' } }
  if (dice < 0.4) return restless
  if (dice < 0.75) return { ...restless, config: { ...restless.config, workflow: 'meta' } }
  return dice < 0.92 ? backlogOf(random, wild, restless) : pipelineOf(random, wild, restless)
}

function unrestOf(random: Random, wild: boolean): Unrest {
  const names = ['test', 'lint', 'secret', 'whole', ...['T001', 'T002', 'T003'].map(ownCheck)]
  const chosen = random.chance(0.5) ? names.filter(() => random.chance(0.3)) : []
  const flaky = chosen.map((name) => [name, random.pick([0.1, 0.3, 0.6])] as const)
  return {
    flaky: Object.fromEntries(flaky),
    base: random.pick(['green', 'green', 'green', 'named', 'unnamed']),
    tampering: random.pick([0, 0.1, 0.4]),
    regrets: wild ? random.pick([0, 0, 1, 2]) : 0,
  }
}

function configOf(random: Random, config: RunConfig, { base }: Unrest): RunConfig {
  const more: CheckConfig[] = [
    ...(random.chance(0.4) ? [{ name: 'whole', run: 'whole', when: 'wave' as const }] : []),
    ...(random.chance(0.4) ? [{ name: 'secret', run: 'secret', hidden: true }] : []),
  ]
  // Without a check there is little to converge to.
  const checks = config.checks.length > 0 || random.chance(0.2) ? config.checks : [{ name: 'test', run: 'test' }]
  return {
    ...config,
    checks: checks.length === 0 ? checks : [...checks, ...more],
    agents: random.chance(0.5) ? { ...config.agents, other: { command: ['other'] } } : config.agents,
    checkReruns: random.int(0, 2),
    baseline: base === 'green' || random.chance(0.2) ? random.pick(['no-worse', 'off', 'pause']) : 'no-worse',
    guard: random.pick(['block', 'block', 'warn', 'off']),
    proof: random.chance(0.6),
    race: raceOf(random),
    limits: {
      ...config.limits,
      recoveries: random.pick([0, 1, 2, 2, null]),
      goalIterations: random.int(0, 1),
      attempts: random.int(1, 4),
    },
  }
}

function raceOf(random: Random): Record<string, number> {
  if (random.chance(0.5)) return {}
  return { ...(random.chance(0.7) ? { complex: random.int(2, 3) } : {}), ...(random.chance(0.5) ? { retry: 2 } : {}) }
}

function planOf(random: Random, entangled: boolean, plan: readonly PlannedTask[], { base }: Unrest): PlannedTask[] {
  return plan.map((task, index) => {
    const earlier = plan.slice(0, index).map(({ id }) => id)
    const breaks = random.chance(0.35) ? random.pick(['whole', ...earlier, ...earlier]) : null
    const checks = random.chance(0.6) ? [ownCheck(task.id)] : task.checks
    const isAfter = breaks !== null && earlier.includes(breaks) && random.chance(0.8)
    return {
      ...task,
      checks,
      dependsOn: isAfter ? [...new Set([...task.dependsOn, breaks])] : task.dependsOn,
      shared: task.shared || (entangled && random.chance(0.4)),
      complexity: random.pick(['simple', 'medium', 'complex', 'complex']),
      ...(breaks === null ? {} : { breaks }),
      ...(random.chance(0.4) ? { tests: random.pick(['proving', 'proving', 'idle']) } : {}),
      ...(random.chance(0.1)
        ? { asks: 'weaken' as const, ...(index % 2 === 0 ? { allows: [`remove-tests:${suiteOf(task.id)}`] } : {}) }
        : base !== 'green' && random.chance(0.15)
          ? { asks: 'fix' as const }
          : {}),
      ...(random.chance(0.4)
        ? { files: random.pick([['src/a.ts'], ['src'], ['src/*.ts'], ['docs'], [fileOf(task.id)]]) }
        : {}),
    }
  })
}

/** Some faults strike during work that only happens in such worlds. */
function faultsOf(random: Random, wild: boolean): Fault[] {
  const crashes = Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, (): Fault => ({
    after: 1,
    delayMs: random.int(0, 80),
    during: random.pick(moments),
    kind: 'crash',
    machine: random.chance(0.3),
    writing: random.chance(0.2),
    tail: random.pick(['lost', 'kept', 'torn']),
  }))
  const orders = wild ? Array.from({ length: random.pick([0, 0, 1, 2]) }, () => rollbackFault(random)) : []
  return [...crashes, ...orders]
}

function rollbackFault(random: Random): Fault {
  const at = random.chance(0.3)
    ? { after: 1, delayMs: random.int(0, 80), during: random.pick(moments) }
    : { ...when(random), after: random.int(20, 250) }
  return { ...at, kind: 'command', command: rollbackOf(random) }
}

export const rollbackOf = (random: Random): UserCommand => ({
  do: 'rollback',
  to: random.pick(['last', 'last', 'base', 'checkpoint', 'checkpoint', 'commit', 'nonsense']),
  nth: random.int(0, 4),
})

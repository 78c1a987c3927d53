/** Shrinks a violating world as far as possible while the law that broke first is still broken. */
import type { LoopStage } from '../model/loop.ts'
import type { Fault, Scenario } from './scenario.ts'
import { simulate, type SimulateOptions, type Simulated } from './simulate.ts'

export async function shrink(failing: Simulated, options: Omit<SimulateOptions, 'scenario'> = {}): Promise<Simulated> {
  const law = failing.violations[0]?.law
  let smallest = failing
  for (;;) {
    const smaller = await firstThat(
      candidates(smallest.scenario),
      (scenario) => simulate(failing.seed, { ...options, scenario }),
      law,
    )
    if (smaller === null) return smallest
    smallest = smaller
  }
}

async function firstThat(
  scenarios: Iterable<Scenario>,
  run: (scenario: Scenario) => Promise<Simulated>,
  wanted: string | undefined,
): Promise<Simulated | null> {
  for (const scenario of scenarios) {
    const simulated = await run(scenario)
    if (simulated.violations.some(({ law }) => law === wanted)) return simulated
  }
  return null
}

/** Simpler worlds, the largest reductions first. */
function* candidates(scenario: Scenario): Generator<Scenario> {
  for (const fault of scenario.faults) yield { ...scenario, faults: scenario.faults.filter((other) => other !== fault) }
  for (const { id } of scenario.plan) if (scenario.plan.length > 1) yield withoutTask(scenario, id)
  if (scenario.trouble > 0) yield { ...scenario, trouble: scenario.trouble < 0.05 ? 0 : scenario.trouble / 2 }
  if (scenario.badHints) yield { ...scenario, badHints: false }
  if (scenario.discovery) yield { ...scenario, discovery: false }
  if (scenario.resumes > 0) yield { ...scenario, resumes: scenario.resumes - 1 }
  yield* calmerUnrest(scenario)
  yield* simplerWorkflow(scenario)
  yield* calmer(scenario)
  yield* simplerConfig(scenario)
}

function* calmerUnrest({ unrest, ...scenario }: Scenario): Generator<Scenario> {
  if (unrest === undefined) return
  for (const name of Object.keys(unrest.flaky)) {
    const others = Object.entries(unrest.flaky).filter(([other]) => other !== name)
    yield { ...scenario, unrest: { ...unrest, flaky: Object.fromEntries(others) } }
  }
  if (unrest.base !== 'green') yield { ...scenario, unrest: { ...unrest, base: 'green' } }
  if (unrest.tampering > 0) yield { ...scenario, unrest: { ...unrest, tampering: 0 } }
  if (unrest.gone) {
    const { gone: _gone, ...rest } = unrest
    yield { ...scenario, unrest: rest }
  }
  if (unrest.alike !== undefined) {
    const { alike: _alike, ...rest } = unrest
    yield { ...scenario, unrest: rest }
  }
  if (unrest.regrets > 0) yield { ...scenario, unrest: { ...unrest, regrets: unrest.regrets - 1 } }
}

const withoutTask = (scenario: Scenario, gone: string): Scenario => ({
  ...scenario,
  plan: scenario.plan
    .filter(({ id }) => id !== gone)
    .map((task) => ({ ...task, dependsOn: task.dependsOn.filter((id) => id !== gone) })),
})

function* simplerWorkflow({ pipeline, source, ...scenario }: Scenario): Generator<Scenario> {
  if (source && (source.kind !== 'file' || source.content !== 'plan')) {
    yield { ...scenario, source: { kind: 'file', content: 'plan' }, ...(pipeline ? { pipeline } : {}) }
  }
  for (const stages of pipeline ? smallerLists(pipeline.stages) : []) {
    yield {
      ...scenario,
      pipeline: { ...pipeline, name: pipeline?.name ?? '', description: '', stages },
      ...(source ? { source } : {}),
    }
  }
}

/** One stage fewer, or a simpler stage. */
function* smallerLists(stages: readonly LoopStage[]): Generator<LoopStage[]> {
  for (const stage of stages) if (stages.length > 1) yield stages.filter((other) => other !== stage)
  for (const stage of stages) {
    if (stage.delaySeconds > 0) yield stages.map((other) => (other === stage ? { ...stage, delaySeconds: 0 } : other))
    if (stage.runs > 1) yield stages.map((other) => (other === stage ? { ...stage, runs: stage.runs - 1 } : other))
  }
}

function* calmer({ plan, faults, ...scenario }: Scenario): Generator<Scenario> {
  for (const task of plan) {
    const { breaks: _breaks, tests: _tests, asks: _asks, files: _files, complexity: _complexity, ...known } = task
    const plain = {
      ...known,
      shared: false,
      clash: false,
      checks: [],
      dependsOn: [],
      ...(task.status ? { status: 'todo' as const } : {}),
    }
    if (JSON.stringify(plain) === JSON.stringify(task)) continue
    yield { ...scenario, faults, plan: plan.map((other) => (other === task ? plain : other)) }
  }
  for (const fault of faults) {
    if (fault.delayMs === 0) continue
    const prompt: Fault = { ...fault, delayMs: 0 }
    yield { ...scenario, plan, faults: faults.map((other) => (other === fault ? prompt : other)) }
  }
}

function* simplerConfig(scenario: Scenario): Generator<Scenario> {
  const { config } = scenario
  if (config.workflow === 'meta') yield { ...scenario, config: { ...config, workflow: 'supervised' } }
  for (const [key, calm] of Object.entries({
    race: {},
    proof: false,
    guard: 'off',
    baseline: 'off',
    checkReruns: 0,
  } as const)) {
    const isCalm = JSON.stringify(config[key as keyof typeof config] ?? calm) === JSON.stringify(calm)
    if (!isCalm) yield { ...scenario, config: { ...config, [key]: calm } }
  }
  if (config.review) yield { ...scenario, config: { ...config, review: false } }
  if (config.parallel > 1) yield { ...scenario, config: { ...config, parallel: config.parallel - 1 } }
  if (config.checks.length > 0) yield { ...scenario, config: { ...config, checks: config.checks.slice(1) } }
  for (const key of ['turns', 'costUsd', 'tokens', 'timeMinutes', 'waitMinutes'] as const) {
    if (config.limits[key] !== null)
      yield { ...scenario, config: { ...config, limits: { ...config.limits, [key]: null } } }
  }
}

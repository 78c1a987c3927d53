/**
 * Draws the workflow of a world with its own random source: a plan, a backlog that people edit meanwhile, or a pipeline
 * of loop stages.
 */
import type { Completion, LoopStage, Pipeline } from '../model/loop.ts'
import { when } from './draw-faults.ts'
import type { Random } from './random.ts'
import type { Fault, PlannedTask, Scenario, SourceScenario, HandEdit } from './scenario.ts'

export function workflowOf(random: Random, wild: boolean, scenario: Scenario): Scenario {
  const dice = random.next()
  if (dice < 0.5) return scenario
  return dice < 0.78 ? backlogOf(random, wild, scenario) : pipelineOf(random, wild, scenario)
}

export function backlogOf(random: Random, wild: boolean, scenario: Scenario): Scenario {
  const holds = random.pick<SourceScenario['content']>(['plan', 'plan', 'plan', 'plan', 'plan', 'nothing', 'rubbish'])
  // A run must not rewrite a source that others use.
  const source: SourceScenario = random.chance(0.7)
    ? { kind: 'file', content: holds }
    : { kind: 'shared', content: 'plan' }
  return {
    ...scenario,
    source,
    config: { ...scenario.config, workflow: 'backlog' },
    plan: ranked(random, scenario.plan),
    faults: [...scenario.faults, ...(wild || random.chance(0.4) ? meddling(random, source.kind) : [])].toSorted(
      (a, b) => a.after - b.after,
    ),
  }
}

/** Ids whose order as text differs from their order as numbers. */
const ids = ['T1', 'T2', 'T9', 'T10', 'T11', 'T100']

function ranked(random: Random, plan: readonly PlannedTask[]): PlannedTask[] {
  const named = new Map(plan.map(({ id }, index) => [id, ids[index] ?? id]))
  return plan.map((task) => ({
    ...task,
    id: named.get(task.id) ?? task.id,
    dependsOn: task.dependsOn.map((id) => named.get(id) ?? id),
    checks: [],
    priority: random.int(1, 3),
    status: random.pick(['todo', 'todo', 'todo', 'todo', 'todo', 'todo', 'doing', 'blocked', 'done']),
  }))
}

function meddling(random: Random, kind: SourceScenario['kind']): Fault[] {
  const hands = Array.from({ length: random.int(1, 5) }, (): Fault => ({
    ...soon(random),
    kind: 'hand',
    edit: editOf(random, kind),
  }))
  return random.chance(0.3)
    ? [...hands, { ...soon(random), kind: 'outage', forMs: random.pick([50, 2_000, 40_000]) }]
    : hands
}

/** A backlog is done with fewer events than a plan. */
const soon = (random: Random): { after: number; delayMs: number } => ({ ...when(random), after: random.int(1, 70) })

function editOf(random: Random, kind: SourceScenario['kind']): HandEdit {
  const nth = random.int(0, 5)
  const dice = random.int(0, 19)
  if (dice < 3) {
    return {
      do: 'add',
      id: random.pick(['P1', 'P2', 'T003', 'T004']),
      priority: random.int(1, 3),
      after: random.chance(0.3) ? nth : null,
    }
  }
  if (dice < 6) return { do: 'rename', nth }
  if (dice < 8) return { do: 'rank', nth, priority: random.int(1, 3) }
  if (dice < 12) return { do: 'close', nth, as: random.pick(['done', 'done', 'cancelled', 'blocked']) }
  if (dice < 14) return { do: 'reopen', nth }
  if (dice < 16) return { do: 'remove', nth }
  if (kind === 'shared') return { do: 'take', nth }
  return { do: random.chance(0.5) ? 'break' : 'repair' }
}

export function pipelineOf(random: Random, wild: boolean, scenario: Scenario): Scenario {
  const stages = Array.from({ length: random.int(1, 3) }, (_, index) => stageOf(random, index))
  const pipeline: Pipeline = { name: 'virtual', description: '', stages }
  const config = { ...scenario.config, workflow: pipeline.name }
  if (!stages.some(({ completion }) => completion.kind === 'tasks-empty')) return { ...scenario, pipeline, config }
  return { ...backlogOf(random, wild, scenario), pipeline, config }
}

function stageOf(random: Random, index: number): LoopStage {
  const completion = completionOf(random)
  return {
    name: `stage${index + 1}`,
    stage: 'virtual',
    description: '',
    prompt: 'Do it.',
    completion,
    minIterations: random.int(0, 3),
    runs: random.int(1, 4),
    delaySeconds: random.pick([0, 0, 0, 30]),
    agent: null,
    model: null,
    perspectives: [],
    outputParse: [],
    checks: random.chance(0.8),
  }
}

function completionOf(random: Random): Completion {
  const kind = random.pick<Completion['kind']>([
    'tasks-empty',
    'plateau',
    'plateau',
    'fixed-n',
    'all-items',
    'judge',
    'until',
  ])
  switch (kind) {
    case 'tasks-empty':
      return { kind, source: 'todo-file' }
    case 'all-items':
      return { kind, items: ['one', 'two', 'three'].slice(0, random.int(1, 3)) }
    case 'judge':
      return { kind, confidence: random.pick([0.5, 0.8]) }
    case 'until':
      return { kind, command: 'until' }
    default:
      return { kind }
  }
}

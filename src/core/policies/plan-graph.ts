/** Builds the task graph from an agent's answer: safe unique ids, known dependencies, no cycle. */
import { LooperError } from '../../model/error.ts'
import { parsePermission } from '../../model/permission.ts'
import type { TaskAnswer } from '../../model/results.ts'
import { isSafeId } from '../../model/task-id.ts'
import type { TaskSpec } from '../../model/task.ts'

const unranked = 1000

export interface PlanOptions {
  /** Whether this id is already used. */
  exists: (id: string) => boolean
  /** Which tasks outside the plan may be depended on; by default all that exist. */
  mayDependOn?: (id: string) => boolean
  parent: string | null
  depth: number
  /** Names the task at this position when its own id is missing or unsafe. */
  name: (index: number) => string
  /** Keeps the agent's own ids when they are safe. */
  keepIds: boolean
  /** Which of these fields count: planners may set them, agents that propose tasks during their work may not. */
  fields?: readonly ('repairs' | 'allows')[]
}

interface NamedAnswer {
  answer: TaskAnswer
  id: string
}

/** `idOf` maps the agent's name of a task to its id. */
export type PlanGraph =
  { ok: true; tasks: TaskSpec[]; idOf: (name: string) => string } | { ok: false; errors: string[] }

export function planGraph(answers: readonly TaskAnswer[], options: PlanOptions): PlanGraph {
  const duplicates = findDuplicates(answers)
  if (duplicates.length > 0) return { ok: false, errors: duplicates.map((id) => `two tasks have the id ${quote(id)}`) }
  const named = assignIds(answers, options)
  const byName = new Map(
    named.flatMap(({ answer, id }) => (answer.id === undefined ? [] : [[answer.id.trim(), id] as const])),
  )
  const idOf = (name: string): string => byName.get(name.trim()) ?? name.trim()
  const own = new Set(named.map(({ id }) => id))
  const mayDependOn = options.mayDependOn ?? options.exists
  const errors: string[] = []
  const tasks = named.map(({ answer, id }): TaskSpec => {
    const dependsOn = [...new Set(dependenciesOf(answer).map(idOf))]
    for (const name of dependsOn) {
      if (own.has(name) || mayDependOn(name)) continue
      const why = options.exists(name) ? 'it cannot wait for' : 'does not exist'
      errors.push(`task ${quote(answer.id ?? id)} depends on ${quote(name)}, which ${why}`)
    }
    return {
      id,
      dependsOn,
      title: answer.title,
      description: answer.description,
      complexity: answer.complexity,
      type: answer.type,
      criteria: answer.criteria,
      checks: answer.checks,
      files: answer.files,
      priority: answer.priority ?? unranked,
      ...fieldsOf(answer, options),
      parent: options.parent,
      depth: options.depth,
    }
  })
  const cycle = findCycle(tasks)
  if (cycle) errors.push(`tasks depend on each other in a circle: ${cycle.join(' → ')}`)
  return errors.length > 0 ? { ok: false, errors } : { ok: true, tasks, idOf }
}

/** The graph of an answer to which there were no objections. */
export function accepted(graph: PlanGraph): Extract<PlanGraph, { ok: true }> {
  if (graph.ok) return graph
  throw new LooperError('BUG_INVARIANT', `An accepted plan is invalid: ${graph.errors.join('; ')}`)
}

/** A text that is not a valid permission is dropped. */
function fieldsOf(answer: TaskAnswer, { fields = [] }: PlanOptions): Pick<TaskSpec, 'repairs' | 'allows'> {
  const repairs = fields.includes('repairs') ? (answer.repairs ?? []) : []
  const allows = fields.includes('allows') ? (answer.allows ?? []).filter((entry) => parsePermission(entry)) : []
  return { ...(repairs.length > 0 ? { repairs } : {}), ...(allows.length > 0 ? { allows } : {}) }
}

/** Backlogs of other tools use `depends_on`. */
export function dependenciesOf({ dependsOn, depends_on: other }: TaskAnswer): string[] {
  return dependsOn.length > 0 || !Array.isArray(other) ? dependsOn : other.filter((id) => typeof id === 'string')
}

function findDuplicates(answers: readonly TaskAnswer[]): string[] {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const { id } of answers) {
    if (id === undefined) continue
    if (seen.has(id.trim())) twice.add(id.trim())
    seen.add(id.trim())
  }
  return [...twice]
}

function assignIds(answers: readonly TaskAnswer[], { exists, name, keepIds }: PlanOptions): NamedAnswer[] {
  const taken = new Set<string>()
  const free = (id: string): boolean => !taken.has(id.toLowerCase()) && !exists(id)
  const usable = (id: string | undefined): id is string => keepIds && id !== undefined && isSafeId(id) && free(id)
  const kept = answers.map((answer) => {
    const trimmed = answer.id?.trim()
    if (!usable(trimmed)) return { answer, id: null }
    taken.add(trimmed.toLowerCase())
    return { answer, id: trimmed }
  })
  return kept.map(({ answer, id }, index) => {
    if (id !== null) return { answer, id }
    let at = index + 1
    while (!free(name(at))) at++
    taken.add(name(at).toLowerCase())
    return { answer, id: name(at) }
  })
}

/** A cycle of ids with its first id repeated at the end, or null. Iterative, because plans can be long chains. */
export function findCycle(tasks: readonly Pick<TaskSpec, 'id' | 'dependsOn'>[]): string[] | null {
  const waiting = new Map(tasks.map((task) => [task.id, new Set(task.dependsOn)]))
  const dependents = new Map<string, string[]>()
  for (const [id, dependencies] of waiting) {
    for (const dependency of dependencies) {
      if (!waiting.has(dependency)) dependencies.delete(dependency)
      else dependents.set(dependency, [...(dependents.get(dependency) ?? []), id])
    }
  }
  const free = [...waiting].filter(([, dependencies]) => dependencies.size === 0).map(([id]) => id)
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    waiting.delete(id)
    for (const dependent of dependents.get(id) ?? []) {
      const dependencies = waiting.get(dependent)
      if (dependencies?.delete(id) && dependencies.size === 0) free.push(dependent)
    }
  }
  return waiting.size === 0 ? null : circleIn(waiting)
}

function circleIn(waiting: Map<string, Set<string>>): string[] {
  const path: string[] = []
  let [id] = waiting.keys()
  while (id !== undefined && !path.includes(id)) {
    path.push(id)
    id = [...(waiting.get(id) ?? [])][0]
  }
  return id === undefined ? path : [...path.slice(path.indexOf(id)), id]
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 60))

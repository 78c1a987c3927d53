/** Finds all problems of a backlog, each with its position, for a person or an agent to fix. */
import { isObject } from '../../model/object.ts'
import { idObjection } from '../../model/task-id.ts'
import { maxDepth, parseJson, positionIn, JsonProblem } from '../../platform/jsonc.ts'
import { quote } from '../../platform/quote.ts'
import { pathText, type Path } from '../../schema/path.ts'
import { problemsIn, type Problem as SchemaProblem } from '../../schema/problems.ts'
import { circles } from './dependencies.ts'
import { idsOf, memberNamed, type Document } from './document.ts'
import { idPattern, rootSpec } from './fields.ts'
import { elementsAt, membersAt, skipSpace, survey } from '../../platform/json-spans.ts'
import { documentsIn } from './task.ts'

export interface Problem {
  kind:
    | 'syntax'
    | 'schema'
    | 'duplicate-key'
    | 'duplicate-id'
    | 'unusable-id'
    | 'missing-dependency'
    | 'circle'
    | 'missing-file'
    | 'unknown-check'
  /** As in `tasks[3].depends_on[0]`; empty for the whole backlog. */
  path: string
  line: number
  column: number
  message: string
}

/** Upper limit: so many problems usually have one cause. */
export const mostProblems = 100

type Kind = Problem['kind']
/** Returns false when the limit is reached. `at` overrides the position that the path leads to. */
type Add = (kind: Kind, path: Path, message: string, at?: number) => boolean

/**
 * Returns at most `mostProblems` problems in text order; an empty list means that the backlog is valid. Ids that no run
 * can use are reported only with `forRuns`: the backlog is valid with them.
 */
export function problems(document: Document, { forRuns = false } = {}): Problem[] {
  const { text, root, tasks } = document
  const { members, depth } = survey(text)
  if (depth > maxDepth) return tooDeep(text)
  const found: { kind: Kind; path: Path; message: string; at: number }[] = []
  const add: Add = (kind, path, message, at) =>
    found.length < mostProblems
    && found.push({ kind, path, message, at: at ?? offsetOf(document, path) }) < mostProblems
  for (const problem of problemsIn(rootSpec, root)) if (!add('schema', problem.path, schemaMessage(problem))) break
  const repeats = (index: number, first: number): string =>
    `repeats ${quote(idAt(tasks, index))}, the id of tasks[${first}]`
  const ids = idsOf(tasks, (index, first) => void add('duplicate-id', ['tasks', index, 'id'], repeats(index, first)))
  if (forRuns) checkIds(ids, add)
  checkDependencies(tasks, ids, add)
  // JSON.parse silently keeps the last of two equal keys; a difference in the number of members reveals it.
  if (members !== countMembers(root)) {
    parseJson(text, (key, at) => void add('duplicate-key', around(document, at), `has the key ${quote(key)} twice`, at))
  }
  const positionAt = positionIn(text)
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ kind, path, message, at }) => {
      const name = pathText(path)
      return { kind, path: name, ...positionAt(at), message: `${name === '' ? 'the backlog' : name} ${message}` }
    })
}

/** Unknown fields are allowed and there are no secrets, so only two kinds of problems occur. */
const schemaMessage = (problem: SchemaProblem): string =>
  problem.kind === 'type' ? `must be ${problem.expected}, not ${quote(problem.actual)}` : 'is missing'

/** Reports source documents that do not exist: a run works without them, but its agents are asked to read them. */
export function missingFiles(document: Document, exists: (name: string) => boolean): Problem[] {
  const missing = documentsIn(document.root)
    .slice(0, mostProblems)
    .map((name, index) => ({ name, path: ['source_files', index] }))
    .filter(({ name }) => !exists(name))
  if (missing.length === 0) return []
  const positionAt = positionIn(document.text)
  return missing.map(({ name, path }) => ({
    kind: 'missing-file',
    path: pathText(path),
    ...positionAt(offsetOf(document, path)),
    message: `${pathText(path)} names ${quote(name)}, which is not there`,
  }))
}

export const syntaxProblem = ({ line, column, message }: JsonProblem): Problem => ({
  kind: 'syntax',
  path: '',
  line,
  column,
  message,
})

/** A parser that recurses would overflow its stack. */
function tooDeep(text: string): Problem[] {
  try {
    parseJson(text, () => {})
    return []
  } catch (error) {
    if (error instanceof JsonProblem) return [syntaxProblem(error)]
    throw error
  }
}

function checkIds(ids: ReadonlyMap<string, number>, add: Add): void {
  for (const [id, index] of ids) {
    // The schema check has reported malformed ids already.
    const why = idPattern.test(id) ? idObjection(id) : null
    if (why !== null && !add('unusable-id', ['tasks', index, 'id'], `cannot be used in a run: ${quote(id)}; ${why}`))
      return
  }
}

function checkDependencies(tasks: readonly unknown[], ids: ReadonlyMap<string, number>, add: Add): void {
  const targets = tasks.map((task, index) =>
    namesIn(task).map((name, entry): number | null => {
      const target = typeof name === 'string' ? (ids.get(name) ?? null) : null
      if (typeof name === 'string' && target === null) {
        add('missing-dependency', ['tasks', index, 'depends_on', entry], `names no task: ${quote(name)}`)
      }
      return target
    }),
  )
  for (const { arrow, circle } of circles(targets)) {
    const names = circle.map((index) => quote(idAt(tasks, index)))
    const message = names.length === 2 ? `is the task itself: ${names[0]}` : `closes a circle: ${circleText(names)}`
    if (!add('circle', ['tasks', arrow.task, 'depends_on', arrow.entry], message)) return
  }
}

const idAt = (tasks: readonly unknown[], index: number): unknown => {
  const task = tasks[index]
  return isObject(task) ? task['id'] : null
}

const mostNames = 12
const circleText = (names: readonly string[]): string =>
  (names.length <= mostNames ? names : [...names.slice(0, mostNames - 2), '…', ...names.slice(-1)]).join(' → ')

const namesIn = (task: unknown): readonly unknown[] => {
  const names = isObject(task) ? task['depends_on'] : null
  return Array.isArray(names) ? names : []
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return parts.reduce<number>((sum, part) => sum + countMembers(part), Array.isArray(value) ? 0 : parts.length)
}

/** Returns the path of the task that contains an offset. */
function around({ layout }: Document, at: number): Path {
  const index = layout().elements.findIndex(({ start, end }) => start <= at && at < end)
  return index < 0 ? [] : ['tasks', index]
}

/** Returns the offset of the value at a path, or of the innermost existing parent. */
export function offsetOf({ text, layout }: Document, [first, second, ...rest]: Path): number {
  const { members, elements } = layout()
  const element = first === 'tasks' && typeof second === 'number' ? elements[second] : undefined
  if (element !== undefined) return descend(text, element.start, rest)
  const member = typeof first === 'string' ? memberNamed(members, first) : undefined
  return member === undefined
    ? skipSpace(text, 0)
    : descend(text, member.value.start, second === undefined ? rest : [second, ...rest])
}

function descend(text: string, start: number, path: Path): number {
  let at = start
  for (const key of path) {
    const value = typeof key === 'number' ? elementsAt(text, at)[key] : memberNamed(membersAt(text, at), key)?.value
    if (value === undefined) return at
    at = value.start
  }
  return at
}

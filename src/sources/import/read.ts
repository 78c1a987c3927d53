/** Reads tasks from a file of another program, and detects the format from the content. */
import { LooperError } from '../../model/error.ts'
import { mostTasks } from '../../model/task.ts'
import { at, isObject } from '../json-value.ts'
import { readJson, withoutMark } from '../json-text.ts'
import { isBeadsIssue, isBeadsRecord, readBeadsIssues } from './beads-export.ts'
import { isClaudeTask, isClaudeTodo, readClaudeTasks, readClaudeTodos } from './claude-list.ts'
import { isClaudeLooperState, readClaudeLooperState } from './claude-looper.ts'
import { distinct, type Reading } from './imported.ts'
import { isPipelineRun, readPipelineRun, sessionOf } from './pipeline-run.ts'
import { readPlan } from './plan.ts'
import { isTodoDocument, readTodoDocument } from './todo-document.ts'
import { isWorkflowState, readWorkflowState } from './workflow-state.ts'

export type Format =
  | 'plan'
  | 'to-do.json'
  | 'claude tasks'
  | 'claude to-dos'
  | 'claude-looper'
  | 'workflow state'
  | 'pipeline run'
  | 'beads'

export interface ReadFile extends Reading {
  format: Format
  /** The session of a pipeline run; null for other formats. */
  session: string | null
}

export interface ReadOptions {
  /** The name of the file in messages. */
  name: string
  /** Import only beads issues with this label. */
  label?: string | null
}

/** A Markdown plan can start with a bracket as well. */
const looksLikeJson = /^\s*(?:\{|\[\s*(?:[{["\d-]|\]\s*$))/

const known =
  'Looper reads plans with check boxes, to-do.json, task lists of Claude Code, exports of beads, '
  + 'and the state of claude-looper, loop and loop-agents.'

/** Throws CONFIG_BACKLOG with the position of the first error. */
export function readTasks(text: string, options: ReadOptions): ReadFile {
  const bare = withoutMark(text)
  const reading = looksLikeJson.test(bare) ? readData(bare, options) : readMarkdown(bare, options)
  if (reading.tasks.length > mostTasks)
    throw refused(options, `${reading.tasks.length} tasks; ${mostTasks} are the most`)
  return { ...reading, ...distinct(reading) }
}

function readMarkdown(text: string, options: ReadOptions): ReadFile {
  const reading = readPlan(text)
  if (reading.tasks.length === 0)
    throw refused(options, text.trim() === '' ? 'it is empty' : 'it has no check boxes (- [ ] …)')
  return { format: 'plan', session: null, ...reading }
}

function readData(text: string, options: ReadOptions): ReadFile {
  const whole = readJson(text)
  if (whole.ok) return readValue(whole.value, options)
  const lines = readLines(text, options)
  if (lines === null) throw broken(options, whole.line, whole.column, whole.why)
  return beadsFrom(lines, options)
}

/** Reads one record per line; null when the first line is not a beads record. */
function readLines(text: string, options: ReadOptions): unknown[] | null {
  const lines = text
    .split(/\r?\n/)
    .flatMap((line, index) => (line.trim() === '' ? [] : [{ number: index + 1, read: readJson(line) }]))
  const [first] = lines
  if (first === undefined || !first.read.ok || !isBeadsRecord(first.read.value)) return null
  return lines.map(({ number, read }) => {
    if (!read.ok) throw broken(options, number, read.column, read.why)
    if (!isBeadsRecord(read.value)) throw refused(options, `line ${number}: that is not an issue of beads`)
    return read.value
  })
}

const beadsFrom = (values: readonly unknown[], { label = null }: ReadOptions): ReadFile => ({
  format: 'beads',
  session: null,
  ...readBeadsIssues(values, label),
})

function readValue(value: unknown, options: ReadOptions): ReadFile {
  const found = (format: Format, reading: Reading): ReadFile => ({ format, session: null, ...reading })
  if (Array.isArray(value)) return readArray(value, options)
  const data = isObject(value) && at(value, 'schema_version') !== undefined ? at(value, 'data') : undefined
  if (Array.isArray(data)) return readArray(data, options)
  if (isClaudeLooperState(value)) return found('claude-looper', readClaudeLooperState(value))
  if (isTodoDocument(value)) return found('to-do.json', readTodoDocument(value))
  if (isWorkflowState(value)) return found('workflow state', readWorkflowState(value))
  if (isPipelineRun(value)) return { ...found('pipeline run', readPipelineRun(value)), session: sessionOf(value) }
  if (isBeadsRecord(value)) return beadsFrom([value], options)
  if (isClaudeTask(value)) return found('claude tasks', readClaudeTasks([value]))
  throw refused(options, 'it contains no tasks that Looper can read')
}

function readArray(values: readonly unknown[], options: ReadOptions): ReadFile {
  if (values.some(isClaudeTask)) return { format: 'claude tasks', session: null, ...readClaudeTasks(values) }
  if (values.some(isBeadsIssue)) return beadsFrom(values, options)
  if (values.some(isClaudeTodo)) return { format: 'claude to-dos', session: null, ...readClaudeTodos(values) }
  throw refused(options, values.length === 0 ? 'it is an empty list' : 'it contains no tasks that Looper can read')
}

const refused = ({ name }: ReadOptions, why: string, hint = known): LooperError =>
  new LooperError('CONFIG_BACKLOG', `${name}: ${why}`, { hint })

const broken = (options: ReadOptions, line: number, column: number, why: string): LooperError =>
  refused(options, `line ${line}, column ${column}: ${why}`, 'Fix the file, then import it again.')

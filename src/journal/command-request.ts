/**
 * Validates a command file of the inbox. Written by hand and not with a schema, so that commands that only send one
 * start fast.
 */
import type { Limits } from '../model/config.ts'
import type { TaskRequest } from '../model/event.ts'
import type { CommandRequest } from '../model/ports.ts'

type Fields = Record<string, unknown>

const limitNames: Record<keyof Limits, true> = {
  timeMinutes: true,
  costUsd: true,
  tokens: true,
  turns: true,
  iterations: true,
  goalIterations: true,
  fixCycles: true,
  attempts: true,
  splitDepth: true,
  planRevisions: true,
  recoveries: true,
  waitMinutes: true,
  newTasks: true,
  diskMb: true,
}

/** Null when the text is not a command; unknown keys are dropped. */
export function parseRequest(text: string): CommandRequest | null {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? toRequest(value) : null
  } catch {
    return null
  }
}

type Verb = CommandRequest['do']
/** One reader for each verb, because a command that can be sent but not read would be lost. */
type Readers = { [Each in Verb]: (fields: Fields) => Extract<CommandRequest, { do: Each }> | null }

const readers: Readers = {
  pause: () => ({ do: 'pause' }),
  stop: () => ({ do: 'stop' }),
  abort: () => ({ do: 'abort' }),
  answer: ({ question, answer }) => (isText(question) && isText(answer) ? { do: 'answer', question, answer } : null),
  add: ({ task }) => {
    const added = toTask(task)
    return added === null ? null : { do: 'add', task: added }
  },
  retry: ({ task }) => (isText(task) ? { do: 'retry', task } : null),
  skip: ({ task, reason }) =>
    isText(task) && (reason === null || isText(reason)) ? { do: 'skip', task, reason } : null,
  limit: ({ limits }) => (isLimits(limits) ? { do: 'limit', limits } : null),
  rollback: ({ to }) => (to === null || isText(to) ? { do: 'rollback', to } : null),
}

const isVerb = (verb: unknown): verb is Verb => isText(verb) && Object.hasOwn(readers, verb)

const toRequest = (fields: Fields): CommandRequest | null => {
  const verb = fields['do']
  return isVerb(verb) ? readers[verb](fields) : null
}

function toTask(value: unknown): TaskRequest | null {
  if (!isFields(value)) return null
  const { title, description, dependsOn, criteria, priority, repairs = [], allows = [] } = value
  if (!isText(title) || title.trim() === '' || !isText(description) || !isTexts(dependsOn) || !isTexts(criteria))
    return null
  if ((priority !== null && !isNumber(priority)) || !isTexts(repairs) || !isTexts(allows)) return null
  return {
    title,
    description,
    dependsOn,
    criteria,
    priority,
    ...(repairs.length > 0 ? { repairs } : {}),
    ...(allows.length > 0 ? { allows } : {}),
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function isLimits(value: unknown): value is Partial<Limits> {
  return (
    isFields(value)
    && Object.entries(value).every(
      ([name, limit]) => Object.hasOwn(limitNames, name) && (limit === null || (isNumber(limit) && limit >= 0)),
    )
  )
}

/**
 * The step from version 1 to 2: in version 1, some facts about work were only in its id. They become fields of
 * `work.started`.
 */
import { isObject } from '../model/object.ts'
import { attemptIn, awaited, isDelay, isTimeLimit, passIn, questionOf, readWorkId, rerunIn } from '../model/work-id.ts'
import type { RawEvent } from './raw-event.ts'

type Fields = Record<string, unknown>

export function describeWork(line: RawEvent): RawEvent {
  const { work } = line
  if (line.type !== 'work.started' || !isObject(work)) return line
  const { id, kind } = work
  return typeof id === 'string' && typeof kind === 'string' ? { ...line, work: describe(work, id, kind) } : line
}

function describe(work: Fields, id: string, kind: string): Fields {
  switch (kind) {
    case 'wait':
      return { ...work, awaits: awaitsOf(id) }
    case 'sync':
      return questionOf(id) === id ? work : { ...work, repeats: questionOf(id) }
    case 'prepare':
    case 'inspect':
      return { ...work, ...taskAt(work['workspace']) }
    case 'turn':
      return { ...work, ...passOf(id), ...judgedBy(id) }
    case 'check':
      return { ...work, ...rerunOf(id), ...judgedBy(id) }
    case 'overlay':
      return { ...work, ...judgedBy(id) }
    default:
      return work
  }
}

function awaitsOf(id: string): Fields {
  if (isTimeLimit(id)) return { kind: 'time-limit' }
  if (isDelay(id)) return { kind: 'delay' }
  return { kind: 'retry', question: questionOf(id), nth: awaited(id)?.nth ?? null }
}

/** Workspaces of a task are `T001` and, in a race, `T001~1`. */
function taskAt(workspace: unknown): Fields {
  const [task = ''] = typeof workspace === 'string' ? workspace.split('~') : []
  return task === '' || task === 'main' ? {} : { task }
}

function passOf(id: string): Fields {
  const pass = passIn(id)?.pass
  return pass === undefined ? {} : { pass }
}

function rerunOf(id: string): Fields {
  const rerun = rerunIn(id)
  return rerun === null ? {} : { rerun }
}

const judging: ReadonlySet<string> = new Set(['proof', 'reverse', 'test', 'verify'])

function judgedBy(id: string): Fields {
  const { owner, steps } = readWorkId(id)
  const attempt = attemptIn(id)
  const round = steps.find(({ name }) => judging.has(name))?.nth
  return attempt === null || typeof round !== 'number' ? {} : { judges: { task: owner, attempt, round } }
}

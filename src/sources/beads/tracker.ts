/** The `bd` commands that Looper uses, with their output parsed. */
import { LooperError } from '../../model/error.ts'
import { createBd, type Answer, type BdOptions } from './bd.ts'
import type { BeadsIssue } from './issue.ts'
import { readIssues } from './output.ts'
import { isWork } from './translate.ts'

/** All methods throw ENVIRONMENT_SOURCE when bd fails and CONFIG_BACKLOG when its output cannot be parsed. */
export interface Tracker {
  /** Returns all work issues, including closed ones, in bd's order. */
  list(): Promise<BeadsIssue[]>
  /** Returns the ids of the issues that bd reports as ready. */
  ready(): Promise<Set<string>>
  /** Returns null when there is no such issue. */
  show(id: string): Promise<BeadsIssue | null>
  /** Returns a refusal of bd to the caller instead of throwing. */
  tryUpdate(id: string, ...options: string[]): Promise<Answer>
  update(id: string, ...options: string[]): Promise<void>
  close(id: string, reason: string): Promise<void>
  create(...options: string[]): Promise<BeadsIssue[]>
}

export function createTracker(options: BdOptions, label: string | null): Tracker {
  const bd = createBd(options)
  const labeled = label === null ? [] : [`--label=${label}`]
  const tryUpdate: Tracker['tryUpdate'] = (id, ...more) => bd('update', id, '--json', ...more)
  return {
    list: async () => issuesOf('list', await bd('list', '--all', '--limit=0', '--json', ...labeled)).filter(isWork),
    ready: async () =>
      new Set(issuesOf('ready', await bd('ready', '--limit=0', '--json', ...labeled)).map(({ id }) => id)),
    async show(id) {
      const answer = await bd('show', id, '--json')
      const isGone = !answer.ok && /not found|no issues? found/i.test(answer.refused)
      return isGone ? null : (issuesOf(`show ${id}`, answer).find((issue) => issue.id === id) ?? null)
    },
    tryUpdate,
    update: async (id, ...more) => void textOf(`update ${id}`, await tryUpdate(id, ...more)),
    // `--force` closes the issue even when bd wants others closed first: the work is done.
    close: async (id, reason) =>
      void textOf(`close ${id}`, await bd('close', id, '--json', `--reason=${reason}`, '--force')),
    create: async (...more) => issuesOf('create', await bd('create', '--json', ...more)),
  }
}

const issuesOf = (call: string, answer: Answer): BeadsIssue[] => readIssues(textOf(call, answer), call)

function textOf(call: string, answer: Answer): string {
  if (answer.ok) return answer.text
  throw new LooperError('ENVIRONMENT_SOURCE', `bd ${call}: ${answer.refused}`)
}

/** The commands of `bd` that Looper uses, each with what it prints already understood. */
import { LooperError } from '../../model/error.ts'
import { createBd, type Answer, type BdOptions } from './bd.ts'
import type { BeadsIssue } from './issue.ts'
import { readIssues } from './output.ts'
import { isWork } from './translate.ts'

/** Everything throws ENVIRONMENT_SOURCE when bd cannot do it and CONFIG_BACKLOG when it cannot be understood. */
export interface Tracker {
  /** All that is work, closed ones too, in bd's order. */
  list(): Promise<BeadsIssue[]>
  /** Ids of those that bd offers. */
  ready(): Promise<Set<string>>
  /** Null when there is no such issue. */
  show(id: string): Promise<BeadsIssue | null>
  /** What bd says against it is for the caller to judge. */
  tryUpdate(id: string, ...options: string[]): Promise<Answer>
  update(id: string, ...options: string[]): Promise<void>
  close(id: string, reason: string): Promise<void>
  create(...options: string[]): Promise<BeadsIssue[]>
}

export function createTracker(options: BdOptions, label: string | null): Tracker {
  const bd = createBd(options)
  const labelled = label === null ? [] : [`--label=${label}`]
  const tryUpdate: Tracker['tryUpdate'] = (id, ...more) => bd('update', id, '--json', ...more)
  return {
    list: async () => issuesOf('list', await bd('list', '--all', '--limit=0', '--json', ...labelled)).filter(isWork),
    ready: async () =>
      new Set(issuesOf('ready', await bd('ready', '--limit=0', '--json', ...labelled)).map(({ id }) => id)),
    async show(id) {
      const answer = await bd('show', id, '--json')
      const isGone = !answer.ok && /not found|no issues? found/i.test(answer.refused)
      return isGone ? null : (issuesOf(`show ${id}`, answer).find((issue) => issue.id === id) ?? null)
    },
    tryUpdate,
    update: async (id, ...more) => void textOf(`update ${id}`, await tryUpdate(id, ...more)),
    // Whatever bd would rather have closed first: the work is done.
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

/** Names that a shell may complete: whatever the repository at hand knows. Each kind loads no more than it needs. */
import type { Candidate, Source } from '../surfaces/cli/completion/table.ts'
import type { Context } from './context.ts'
import { findRunId } from './find-run.ts'
import { listRunIds, runFolder } from './run-folder.ts'

/** Newest first, where there is a first. `run`: the one that tasks and questions are of. */
export async function candidates(context: Context, root: string, source: Source, run: string | null): Promise<Candidate[]> {
  switch (source) {
    case 'run': return (await listRunIds(root)).toReversed().map((value) => ({ value, about: '' }))
    case 'task': return tasksOf(root, run)
    case 'question': return questionsOf(root, run)
    case 'session': return sessionsOf(root)
    case 'agent': return agentsOf(context, root)
    case 'pipeline': return pipelinesOf(context, root)
    case 'key': return keysOf()
    case 'file':
    case 'folder': return []
  }
}

async function stateOf(root: string, run: string | null) {
  const { readState } = await import('./read-run.ts')
  return readState(runFolder(root, await findRunId(root, run)))
}

async function tasksOf(root: string, run: string | null): Promise<Candidate[]> {
  const { order, tasks } = await stateOf(root, run)
  return order.flatMap((id) => (tasks[id] === undefined ? [] : [{ value: id, about: `${tasks[id].status}: ${tasks[id].title}` }]))
}

async function questionsOf(root: string, run: string | null): Promise<Candidate[]> {
  const { questions } = await stateOf(root, run)
  return questions.filter(({ answer }) => answer === null).map(({ id, text }) => ({ value: id, about: text }))
}

const mostRuns = 50

async function sessionsOf(root: string): Promise<Candidate[]> {
  const newest = (await listRunIds(root)).slice(-mostRuns).toReversed()
  const states = await Promise.all(newest.map((id) => stateOf(root, id).catch(() => null)))
  const named = new Map<string, string>()
  for (const state of states) {
    if (state !== null && state.session !== null && !named.has(state.session)) named.set(state.session, state.status)
  }
  return [...named].map(([value, about]) => ({ value, about }))
}

async function agentsOf({ env, home }: Context, root: string): Promise<Candidate[]> {
  const [{ loadConfig }, { knownPrograms }] = await Promise.all([import('../config/layers.ts'), import('../model/agent-type.ts')])
  const configured = Object.keys(loadConfig({ root, env, home }).config.agents)
  return [...new Set([...configured, ...knownPrograms])].map((value) => ({ value, about: configured.includes(value) ? 'configured' : '' }))
}

async function pipelinesOf({ packageFolder }: Context, root: string): Promise<Candidate[]> {
  const { listDefinitions } = await import('../pipelines/list.ts')
  return listDefinitions({ root, packageFolder }).map(({ name, description }) => ({ value: name, about: description }))
}

async function keysOf(): Promise<Candidate[]> {
  const { keys } = await import('../config/keys.ts')
  return keys.map(({ name, field }) => ({ value: name, about: field?.about ?? '' }))
}

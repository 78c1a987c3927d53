/** Names that a shell can complete in the current repository. Each kind loads only the modules that it needs. */
import type { StoredRun } from '../../model/ports.ts'
import type { AppContext } from '../context.ts'
import { findRunId } from '../runs/find-run.ts'
import { runOf, runsOf } from '../runs/runs.ts'

export type NameSource =
  'run' | 'task' | 'question' | 'agent' | 'session' | 'pipeline' | 'list' | 'key' | 'file' | 'folder'

interface Candidate {
  value: string
  /** A few words for people. */
  about: string
}

/** Newest first, for kinds that have an age. `run` is the run whose tasks and questions are listed. */
export async function candidates(
  context: AppContext,
  root: string,
  source: NameSource,
  run: string | null,
): Promise<Candidate[]> {
  switch (source) {
    case 'run':
      return runNames(root)
    case 'task':
      return tasksOf(root, run)
    case 'question':
      return questionsOf(root, run)
    case 'session':
      return sessionsOf(root)
    case 'agent':
      return agentsOf(context, root)
    case 'list':
      return listsOf(context)
    case 'pipeline':
      return pipelinesOf(context, root)
    case 'key':
      return keysOf()
    case 'file':
    case 'folder':
      return []
  }
}

const mostRuns = 50

/** All run ids, then the names of their sessions. */
async function runNames(root: string): Promise<Candidate[]> {
  const runs = runsOf(root)
  const newest = (await runs.list()).toReversed()
  const sessions = await Promise.all(newest.slice(0, mostRuns).map((id) => sessionIn(runs.open(id)).catch(() => null)))
  return [
    ...newest.map((value) => ({ value, about: '' })),
    ...[...new Set(sessions)].flatMap((value) =>
      value === null ? [] : [{ value, about: 'the newest run of this session' }],
    ),
  ]
}

/** The name of the session of a run; reads only the start of the journal. */
async function sessionIn({ journal }: StoredRun): Promise<string | null> {
  const first = await journal.first()
  return first?.type === 'run.started' ? (first.session ?? null) : null
}

async function stateOf(root: string, run: string | null) {
  const { readState } = await import('../runs/read-run.ts')
  return readState(runOf(root, await findRunId(root, run)))
}

async function tasksOf(root: string, run: string | null): Promise<Candidate[]> {
  const { order, tasks } = await stateOf(root, run)
  return order.flatMap((id) =>
    tasks[id] === undefined ? [] : [{ value: id, about: `${tasks[id].status}: ${tasks[id].title}` }],
  )
}

async function questionsOf(root: string, run: string | null): Promise<Candidate[]> {
  const { questions } = await stateOf(root, run)
  return questions.filter(({ answer }) => answer === null).map(({ id, text }) => ({ value: id, about: text }))
}

async function sessionsOf(root: string): Promise<Candidate[]> {
  const newest = (await runsOf(root).list()).slice(-mostRuns).toReversed()
  const states = await Promise.all(newest.map((id) => stateOf(root, id).catch(() => null)))
  const named = new Map<string, string>()
  for (const state of states) {
    if (state !== null && state.session !== null && !named.has(state.session)) named.set(state.session, state.status)
  }
  return [...named].map(([value, about]) => ({ value, about }))
}

async function agentsOf({ env, home }: AppContext, root: string): Promise<Candidate[]> {
  const [{ loadConfig }, { knownPrograms }] = await Promise.all([
    import('../../config/layers.ts'),
    import('../../model/agent-type.ts'),
  ])
  const configured = Object.keys(loadConfig({ root, env, home }).config.agents)
  return [...new Set([...configured, ...knownPrograms])].map((value) => ({
    value,
    about: configured.includes(value) ? 'configured' : '',
  }))
}

async function listsOf(context: AppContext): Promise<Candidate[]> {
  const { taskLists } = await import('../../sources/claude-tasks/folder.ts')
  return (await taskLists(context)).map((value) => ({ value, about: 'a task list of Claude Code' }))
}

async function pipelinesOf({ packageFolder }: AppContext, root: string): Promise<Candidate[]> {
  const { listDefinitions } = await import('../../pipelines/list.ts')
  return listDefinitions({ root, packageFolder }).map(({ name, description }) => ({ value: name, about: description }))
}

async function keysOf(): Promise<Candidate[]> {
  const { keys } = await import('../../config/keys.ts')
  return keys.map(({ name, field }) => ({ value: name, about: field?.about ?? '' }))
}

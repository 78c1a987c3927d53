/** Runs of the backlog workflow in memory. */
import type { RunConfig } from '../../src/model/config.ts'
import type { SourceTask } from '../../src/model/source.ts'
import type { SyncOutcome, SyncWork, TurnWork } from '../../src/model/work.ts'
import { baseConfig, play, type World } from './play.ts'

export const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({ workflow: 'backlog', parallel: 1, ...changes })

export const item = (id: string, more: Partial<SourceTask> = {}): SourceTask => ({
  id,
  title: `Do ${id}`,
  description: '',
  dependsOn: [],
  criteria: [],
  files: [],
  type: null,
  priority: 1,
  status: 'todo',
  reason: null,
  ...more,
})

export const polled = ({ claim }: SyncWork, more: Partial<SyncOutcome> = {}): SyncOutcome => ({
  kind: 'sync',
  tasks: [],
  removed: [],
  claim: claim === null ? null : { task: claim, ok: true },
  complete: false,
  problems: [],
  ...more,
})

/** A source that is read once and that only this run changes. */
export const withBacklog =
  (tasks: SourceTask[], answer: World = () => undefined, more: Partial<SyncOutcome> = {}): World =>
  (work, state) => {
    const said = answer(work, state)
    if (said !== undefined || work.kind !== 'sync') return said
    return polled(work, work.id === 'look/0' ? { tasks, ...more } : {})
  }

export const turns = (played: ReturnType<typeof play>): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [work.id] : []))
export const order = (played: ReturnType<typeof play>): string[] => played.of('task.started').map(({ task }) => task)
export const turn =
  (answer: (work: TurnWork) => ReturnType<World>): World =>
  (work) =>
    work.kind === 'turn' ? answer(work) : undefined

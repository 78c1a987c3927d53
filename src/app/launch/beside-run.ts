/** What goes beside a run: its report files, its task source, the records of its loop, and notifications. */
import type { Event } from '../../model/event.ts'
import type { Clock, Journal, StoredRun } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'
import type { Observer } from '../../api/runs.ts'
import type { TaskSource } from '../../sources/in-step.ts'
import type { AppContext } from '../context.ts'
import { sourceOf } from '../prepare/workflow.ts'
import { openLoopRecords } from './loop-records.ts'
import { createNotifications, type NotificationOptions } from './notifications.ts'
import { createProjections } from './projections.ts'
import { openStore, openTaskSource } from './task-source.ts'

export interface BesideRun {
  /** Null when the run has no task source. */
  source: TaskSource | null
  /** Called with every durable event. */
  record(event: Event): void
  /** Resolves when no hook is running. */
  idle(): Promise<void>
  /** Called just before the run ends. */
  finish(): Promise<void>
  /** Called when the engine has ended. A failure of the source does not change how the run ended. */
  settle(rested: RunState): Promise<void>
  stop(): void
}

interface BesideOptions extends Pick<NotificationOptions, 'root' | 'hooks' | 'notify' | 'mask'> {
  id: string
  secrets: string[]
}

interface RunAtHand {
  stored: StoredRun
  state: RunState
  journal: Journal
  observer: Observer
  clock: Clock
}

/** The facts that the run started with. */
type Begun = Pick<RunState, 'stages' | 'config'> & Pick<Partial<RunState>, 'pipeline' | 'session'>

export async function openBesideRun(
  context: AppContext,
  options: BesideOptions,
  run: RunAtHand,
  begun: Begun,
): Promise<BesideRun> {
  const { stored, state, journal, observer } = run
  const { folder: dir } = stored
  const projections = createProjections(dir, state)
  const source = await sourceFor(context, options, run, begun)
  const records = begun.pipeline ? await openLoopRecords(dir, state, journal) : null
  const notifications = createNotifications({
    ...options,
    dir,
    env: withoutSecrets(context.env, options.secrets),
    onTrouble: observer.onTrouble,
  })
  return {
    source,
    idle: notifications.idle,
    record(event) {
      projections.touch()
      source?.touch(event)
      records?.record(event, state)
      notifications.record(event, state)
    },
    async finish() {
      projections.write(concluded(state))
      await source?.settle()
    },
    async settle(rested) {
      projections.write(rested)
      // The next stretch or the next run updates the source.
      await source?.settle().catch(source.report)
      await notifications.idle()
    },
    stop() {
      source?.stop()
      projections.stop()
    },
  }
}

async function sourceFor(
  context: AppContext,
  { root, id }: BesideOptions,
  { stored, state, observer, clock }: RunAtHand,
  begun: Begun,
): Promise<TaskSource | null> {
  const { stages, config, pipeline = null, session = null } = begun
  const kind = sourceOf({ stages, pipeline }, config)
  if (kind === null) return null
  const { env, home } = context
  const store = await openStore(kind, {
    run: id,
    root,
    backlog: config.backlog,
    name: config.sourceName,
    session,
    env,
    home,
    onNote: observer.onTrouble,
  })
  return openTaskSource({ dir: stored.folder, run: id, state, store, clock, onTrouble: observer.onTrouble })
}

/** The report is written just before the run ends, so this adds the status that the run will end with. */
const concluded = (state: RunState): RunState =>
  state.conclusion === null ? state : { ...state, ...state.conclusion, pause: null, endedAt: state.lastAt }

const withoutSecrets = (env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))

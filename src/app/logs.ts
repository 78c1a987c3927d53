/** `looper logs`: what agents said and did in a run. Of turns under way, whose files still hold secrets, nothing is shown unmasked. */
import { createMask, type Mask } from '../agents/mask.ts'
import { loadConfig } from '../config/layers.ts'
import { readLog } from '../logs/read-log.ts'
import { LooperError } from '../model/error.ts'
import type { LogEvent } from '../model/log.ts'
import type { RunState } from '../model/state.ts'
import type { LogRequest } from '../surfaces/cli/app.ts'
import type { Context } from './context.ts'
import { runFolder } from './run-folder.ts'

export function logs(context: Context, root: string, id: string, request: LogRequest): AsyncIterable<LogEvent> {
  return readLog(runFolder(root, id), {
    ...request,
    now: () => new Date().toISOString(),
    maskFor(state) {
      refuseUnknownTask(state, request)
      return maskFor(context, root, state)
    },
  })
}

/** A task that is followed may be added later. */
function refuseUnknownTask({ run, tasks }: RunState, { task, follow }: LogRequest): void {
  if (task === null || follow || Object.hasOwn(tasks, task)) return
  throw new LooperError('USAGE_NO_TASK', `${run} has no task ${JSON.stringify(task)}.`, { hint: `\`looper ls ${run}\` lists its tasks.` })
}

function maskFor({ env, home }: Context, root: string, { config }: Pick<RunState, 'config'>): Mask {
  const { agents, secrets } = settingsOf(env, home, root)
  const all = Object.assign({}, env, ...Object.values(agents).map((agent) => agent.env ?? {})) as NodeJS.ProcessEnv
  return createMask(all, [...secrets, ...config.secrets ?? []])
}

/** A file that is being edited just now must not keep anybody from looking at a run. */
function settingsOf(env: NodeJS.ProcessEnv, home: string, root: string): Pick<RunState['config'], 'agents' | 'secrets'> {
  try {
    return loadConfig({ root, env, home }).config
  } catch {
    return { agents: {}, secrets: [] }
  }
}

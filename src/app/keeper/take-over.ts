/**
 * Enforces the limits of the turns that a dead engine left running. The limits come from the journal and the engine's
 * greeting.
 */
import { createMask } from '../../agents/mask.ts'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { diskBytes, isOverspent } from '../../core/policies/budget.ts'
import { endFound, keepTurns, processesOf, takenPollMs } from '../../dispatch/keep-turns.ts'
import type { KeeperGreeting } from '../../dispatch/keeper-greeting.ts'
import { createSetting } from '../../dispatch/local.ts'
import type { LeftWork } from '../../dispatch/dispatch.ts'
import type { RunState } from '../../model/state.ts'
import { subtractUsage, type Usage } from '../../model/usage.ts'
import { isLocked } from '../../platform/lock-client.ts'
import { readState } from '../runs/read-run.ts'
import { runIn } from '../runs/runs.ts'

/** Resolves when no process of the run is left. Does nothing while another process holds the run. */
export async function takeOver(greeting: KeeperGreeting, runLock: string): Promise<void> {
  const isTaken = (): Promise<boolean> => isLocked(runLock)
  while (processesOf(greeting.key).length > 0) {
    if (await isTaken()) await sleep(takenPollMs)
    else if ((await keep(greeting, isTaken)) === 'over') return
  }
}

async function keep(greeting: KeeperGreeting, isTaken: () => Promise<boolean>): Promise<'over' | 'taken'> {
  const state = await readState(runIn(greeting.runDir)).catch(() => null)
  if (state === null) return endAll(greeting, isTaken)
  const left = turnsOf(state)
  return keepTurns({
    setting: settingFor(greeting, state),
    left,
    // A run whose folder was deleted is read again: it cannot be resumed, so its turns are ended.
    isTaken: async () => (await isTaken()) || !existsSync(greeting.runDir),
    spentBefore: left.reduce((sum, { work }) => less(sum, state.spending[work.id]), state.usage),
    isOverspent: (usage) => isOverspent(state.config.limits, usage),
  })
}

/** Without a journal no limits are known, and the keeper must not let a turn run without limits. */
export async function endAll(
  { key, timings }: KeeperGreeting,
  isTaken: () => Promise<boolean>,
): Promise<'over' | 'taken'> {
  const pids = new Set(processesOf(key))
  if (await isTaken()) return 'taken'
  await endFound(key, pids, timings.sweepGraceMs)
  return 'over'
}

const turnsOf = ({ works }: RunState): LeftWork[] =>
  Object.values(works).flatMap(({ work, starts }) => (work.kind === 'turn' ? [{ work, starts, cwd: '' }] : []))

const less = (usage: Usage, known: Usage | undefined): Usage =>
  known === undefined ? usage : subtractUsage(usage, known)

function settingFor({ runDir, key, agents, limits, timings, firstWalkMs }: KeeperGreeting, { config }: RunState) {
  const { diskMb } = config.limits
  return createSetting(
    {
      runDir,
      key,
      agents,
      limits,
      timings,
      mask: createMask({}, []),
      env: {},
      playerPath: '',
      mcpPath: '',
      driverPath: '',
      runCheck: () => Promise.reject(new Error('a keeper runs no checks')),
      diskLimitBytes: () => (typeof diskMb === 'number' ? diskBytes(diskMb) : null),
      ...(firstWalkMs === undefined ? {} : { firstWalkMs }),
    },
    () => {},
    () => {},
  )
}

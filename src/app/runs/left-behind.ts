/** Finds and ends agents that outlived a killed engine, and finds out whether a keeper enforces their limits. */
import { setTimeout as sleep } from 'node:timers/promises'
import { keeperLock } from '../../dispatch/keeper-greeting.ts'
import { readEnd, turnFolder } from '../../dispatch/turn-folder.ts'
import type { RunState } from '../../model/state.ts'
import { isLocked, nudge } from '../../platform/lock-client.ts'
import { lockName } from '../../platform/lock.ts'
import { markOf, runKey } from '../../platform/mark.ts'
import { factsOf } from '../../platform/process-identity.ts'
import { endRun } from '../../platform/end-run.ts'
import { findMarked, type MarkedProcess } from '../../platform/sweep.ts'
import type { LeftAgent, LeftBehind } from '../../views/status/liveness.ts'

/** What a crashed run left behind. The caller must know that no engine holds the run. */
export async function findLeft(dir: string, state: RunState): Promise<LeftBehind> {
  const key = runKey(dir)
  const marked = findMarked(`${key}:`)
  const agents: LeftAgent[] = []
  const ended: LeftBehind['ended'] = []
  for (const { work, starts } of Object.values(state.works)) {
    if (work.kind !== 'turn') continue
    const pid = leaderOf(marked, markOf(key, work.id, starts))
    const why = readEnd(turnFolder(dir, work.id, starts))
    if (pid !== null) agents.push({ turn: work.id, pid })
    else if (why !== null) ended.push({ turn: work.id, why })
  }
  return { agents, ended, kept: agents.length > 0 && (await isKept(dir, state)) }
}

const youngMs = 2_000

/** A keeper needs a moment to take over, so this waits when the last event of the run is recent. */
async function isKept(dir: string, { lastAt }: RunState): Promise<boolean> {
  const name = keeperLock(lockName(dir))
  const isYoung = Date.now() - Date.parse(lastAt) < youngMs
  for (let tries = isYoung ? 20 : 1; tries > 0; tries--) {
    if (await isLocked(name)) return true
    if (tries > 1) await sleep(50)
  }
  return false
}

/** The process that leads its own process group, else the oldest. */
function leaderOf(marked: readonly MarkedProcess[], mark: string): number | null {
  const pids = marked.filter((found) => found.mark === mark).map(({ pid }) => pid)
  return pids.find((pid) => factsOf(pid)?.group === pid) ?? pids[0] ?? null
}

const stopGraceMs = 2_000

/**
 * Ends all processes of the run, including its keeper. The caller holds the run's lock. Returns the agents that were
 * ended.
 */
export async function endLeft(dir: string, state: RunState): Promise<LeftAgent[]> {
  const { agents } = await findLeft(dir, state)
  await dismissKeeper(keeperLock(lockName(dir)))
  await endRun(runKey(dir), { graceMs: stopGraceMs })
  return agents
}

/** A keeper that does not answer is stopped or dead. */
async function dismissKeeper(name: string): Promise<void> {
  for (let tries = 0; tries < 20 && (await isLocked(name)); tries++) {
    await nudge(name)
    await sleep(25)
  }
}

/** Recovers the work of an earlier engine: adopts running turns, reads ended ones, ends everything else. */
import { messageOf } from '../model/error.ts'
import { engineGone } from '../model/interrupted.ts'
import { steadyNow } from '../platform/clock.ts'
import { createKin } from '../platform/strays.ts'
import { removePrivateFolders } from '../platform/private-folders.ts'
import { endMarked } from '../platform/sweep.ts'
import { endTaggedOfRun } from '../platform/tag.ts'
import type { LeftWork } from './dispatch.ts'
import { readEnded, scrub } from './finish-turn.ts'
import { createJob, settledJob, type Job } from './job.ts'
import { adoptedLeader, findLeader, folderOf, isLeading } from './leader.ts'
import { openOutput } from './output.ts'
import { describeTurn, type RunningTurn, type Turn, type TurnSetting } from './turn.ts'
import { watchTurn } from './watch-turn.ts'
import { promptTime, readEnd, readProcess, turnFolder, writeProcess, type ProcessRecord } from './turn-folder.ts'

export interface Found {
  left: LeftWork
  /** Null for checks, and for turns of an agent that is no longer configured: neither can be adopted. */
  turn: Turn | null
  record: ProcessRecord | null
  alive: boolean
}

export async function recoverJobs(setting: TurnSetting, left: readonly LeftWork[]): Promise<Map<string, Job>> {
  const found = left.map((item) => find(setting, item))
  const kept = new Set(found.flatMap(({ turn, alive }) => (turn !== null && alive ? [turn.mark] : [])))
  await endMarked(`${setting.key}:`, { only: (mark) => !kept.has(mark), graceMs: setting.timings.sweepGraceMs })
  await endTaggedOfRun(setting.key, kept)
  await removePrivateFolders(setting.key)
  const jobs = new Map<string, Job>()
  for (const item of found) jobs.set(item.left.work.id, await takeOver(setting, item))
  return jobs
}

export function find(setting: TurnSetting, left: LeftWork): Found {
  const turn = left.work.kind === 'turn' ? describeTurn(setting, left.work, left.starts) : null
  if (turn === null) return { left, turn, record: null, alive: false }
  const record = readProcess(turn.folder) ?? findRecord(turn, left.cwd)
  return { left, turn, record, alive: record !== null && isLeading(record) }
}

/** May throw when the agent has replaced its output files with something else. */
export function adoptTurn(turn: Turn, record: ProcessRecord, cwd: string): RunningTurn {
  const startedAtMs = Date.parse(record.startedAt)
  return {
    ...turn,
    output: openOutput(turn, turn.setting.limits),
    pid: record.pid,
    leader: adoptedLeader(record),
    begunAt: performance.now() - ageOf(record),
    kin: createKin(record.pid, ageOf(record)),
    cwd,
    disk: turn.setting.disk.measure({ folder: turn.folder.path, cwd, startedAtMs }),
  }
}

/**
 * Milliseconds since the start of the turn. The wall clock may have been set while no engine ran, so it is used only
 * without a steady time in the record. The machine has not rebooted since, or the process would be gone.
 */
export function ageOf({ startedAt, steadyMs }: Pick<ProcessRecord, 'startedAt' | 'steadyMs'>): number {
  const steady = steadyMs === undefined ? -1 : steadyNow() - steadyMs
  return steady >= 0 ? steady : Math.max(0, Date.now() - Date.parse(startedAt))
}

/** Covers an engine that died between the start of the agent and the writing of its record. */
function findRecord({ mark, folder }: Turn, cwd: string): ProcessRecord | null {
  const identity = findLeader(mark, folder.stream)
  if (identity === null) return null
  const where = cwd === '' ? folderOf(identity.pid) : cwd
  const started = { ...identity, startedAt: new Date(promptTime(folder)).toISOString() }
  const record = where === null ? started : { ...started, cwd: where }
  try {
    writeProcess(folder, record)
  } catch {
    // A later engine also finds the process by its mark.
  }
  return record
}

async function takeOver(setting: TurnSetting, { left, turn, record, alive }: Found): Promise<Job> {
  try {
    if (turn === null) {
      scrub({ folder: turnFolder(setting.runDir, left.work.id, left.starts), mask: setting.mask })
      return settledJob(left.starts, { state: 'lost', why: engineGone })
    }
    const startedAtMs = record === null ? promptTime(turn.folder) : Date.parse(record.startedAt)
    if (record === null || !alive) return settledJob(left.starts, await readEnded(turn, startedAtMs))
    const job = createJob(left.starts, () => setting.hint())
    setting.keep()
    const running = adoptTurn(turn, record, left.cwd)
    const supervision = watchTurn(running, job)
    // A keeper had started to end the turn before this engine took over.
    const excess = readEnd(turn.folder)
    if (excess !== null) supervision.stop(excess, 'gracefully')
    return job
  } catch (error) {
    return settledJob(left.starts, { state: 'lost', why: messageOf(error) })
  }
}

/** Enforces the bounds of the turns that a dead engine left, and ends every other process of the run. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LeftWork } from './dispatch.ts'
import { addUsage, type Usage } from '../model/usage.ts'
import { killFound } from '../platform/proc.ts'
import { endMarked, findMarked } from '../platform/sweep.ts'
import { endTagged, findTaggedOfRun } from '../platform/tag.ts'
import { endGroup } from './leader.ts'
import { adoptTurn, find } from './recover.ts'
import type { Excess } from './excess.ts'
import { boundTurn, type RunningTurn, type TurnSetting } from './turn.ts'
import { writeEnd, type TurnFolder } from './turn-folder.ts'

export interface LeftTurns {
  setting: TurnSetting
  /** Turns that were running according to the journal; `cwd` is empty when the workspace is not known. */
  left: readonly LeftWork[]
  /** Usage of the turns that have ended. */
  spentBefore: Usage
  isOverspent(usage: Usage): boolean
  /** Whether another process has the run's lock: an engine, or a command that changes the run. */
  isTaken(): Promise<boolean>
}

export const takenPollMs = 250
const maxSweeps = 10

/**
 * `over`: none of the run's processes is left. `taken`: another process has the run's lock; from then on nothing is
 * changed.
 */
export async function keepTurns(duty: LeftTurns): Promise<'over' | 'taken'> {
  if (await duty.isTaken()) return 'taken'
  const turns = adopt(duty)
  const ends = turns.map(keepTurn)
  try {
    const others = endOthers(duty, new Set(turns.map(({ mark }) => mark)))
    const over = Promise.all([others, ...ends.map(({ over: end }) => end)]).then(() => 'over' as const)
    return await Promise.race([over, taken(duty, over)])
  } finally {
    for (const { stop } of ends) stop()
    for (const turn of turns) close(turn)
  }
}

/**
 * Turns whose process still leads its group. A turn whose files cannot be opened is left out, because its bounds cannot
 * be enforced.
 */
function adopt({ setting: given, left, spentBefore, isOverspent }: LeftTurns): RunningTurn[] {
  const turns: RunningTurn[] = []
  const setting: TurnSetting = {
    ...given,
    isOverspent: () => isOverspent(turns.reduce((sum, { parser }) => addUsage(sum, parser.usage()), spentBefore)),
  }
  for (const item of left) {
    const { turn, record, alive } = find(setting, item)
    if (turn === null || record === null || !alive) continue
    try {
      turns.push(adoptTurn(turn, record, item.cwd || (record.cwd ?? '')))
    } catch {
      // It is ended with the other processes.
    }
  }
  return turns
}

/**
 * Ends checks, set-up, git and leftovers of ended turns, because no engine can adopt them. They get time to finish,
 * because a killed git leaves its locks. Only processes found before the run was seen to be free are ended, never those
 * of a new engine. Returns when another process takes the run.
 */
async function endOthers({ setting: { key, timings }, isTaken }: LeftTurns, kept: ReadonlySet<string>): Promise<void> {
  const begun = performance.now()
  for (let sweeps = 0; sweeps < maxSweeps;) {
    const others = new Set(processesOf(key, kept))
    if (others.size === 0 || (await isTaken())) return
    if (performance.now() - begun < timings.graceMs) {
      await sleep(takenPollMs)
      continue
    }
    sweeps++
    await endFound(key, others, timings.sweepGraceMs)
  }
}

/** Ends the processes that still belong to the run, because a pid may have been reused. */
export async function endFound(key: string, pids: ReadonlySet<number>, graceMs: number): Promise<void> {
  await endMarked(`${key}:`, { only: (_mark, pid) => pids.has(pid), graceMs })
  await killFound(() => findTaggedOfRun(key).filter((pid) => pids.has(pid)))
}

/** Processes found by mark or by tag, except those with kept marks. */
export const processesOf = (key: string, kept: ReadonlySet<string> = new Set()): number[] => [
  ...findMarked(`${key}:`)
    .filter(({ mark }) => !kept.has(mark))
    .map(({ pid }) => pid),
  ...findTaggedOfRun(key, kept),
]

function keepTurn(turn: RunningTurn): { over: Promise<void>; stop(): void } {
  const supervision = boundTurn(turn, { progress: () => {}, excess: (why) => record(turn.folder, why) })
  return { over: supervision.over.then(() => endRest(turn)), stop: supervision.close }
}

async function endRest({ mark, pid, setting }: RunningTurn): Promise<void> {
  await endMarked(mark, { only: (found) => found === mark, graceMs: setting.timings.sweepGraceMs })
  endGroup(pid)
  await endTagged(mark)
}

/** The turn is ended even when a full disk prevents the record; then the engine that resumes starts it again. */
function record(folder: TurnFolder, why: Excess): void {
  try {
    writeEnd(folder, why)
  } catch {
    // A full disk must not keep the turn running.
  }
}

async function taken({ isTaken }: LeftTurns, over: Promise<unknown>): Promise<'taken'> {
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  // An unhandled rejection would end the keeper and leave the turns without bounds.
  void over.then(end, end)
  while (!isOver) {
    await sleep(takenPollMs)
    if (await isTaken()) return 'taken'
  }
  return new Promise(() => {})
}

function close({ output, disk }: RunningTurn): void {
  output.close()
  disk.close()
}

/** Ends a turn, in this order: end its processes, read its files, judge it, scrub secrets. */
import type { TurnAnswer } from '../agents/adapter.ts'
import { outboxBytes } from '../agents/asides.ts'
import { readPlainFile, writePlainFile } from '../platform/plain-file.ts'
import { noneOfTurn } from '../platform/sessions.ts'
import { endStrays, type Trace } from '../platform/strays.ts'
import { endMarked } from '../platform/sweep.ts'
import { endTagged } from '../platform/tag.ts'
import type { WorkStatus } from '../model/ports/site.ts'
import type { TurnOutcome } from '../model/work.ts'
import { cancelled } from './job.ts'
import { declared } from './declared.ts'
import { judge, toOutcome } from './judge.ts'
import { endGroup } from './leader.ts'
import { withAsides } from './outbox.ts'
import { openOutput, type Output } from './output.ts'
import { filesBelow, scrubFiles } from './scrub.ts'
import type { Exit, Why } from './supervise.ts'
import type { RunningTurn, Turn } from './turn.ts'
import { carriedOutbox, lastWrite, readEnd } from './turn-folder.ts'

export async function finishTurn(turn: RunningTurn, ended: Exit & { why: Why }): Promise<WorkStatus> {
  const { output } = turn
  try {
    await endRest(turn)
    if (ended.why === 'cancelled') return { ...cancelled, usage: (await readAnswer(turn, output, ended)).usage }
    const outcome = await readOutcome(turn, output, ended, performance.now() - turn.begunAt)
    const diskBytes = await turn.disk.finish()
    return { state: 'done', outcome: diskBytes === null ? outcome : { ...outcome, diskBytes } }
  } finally {
    output.close()
    turn.disk.close()
    scrub(turn)
  }
}

/** Ends the processes that the turn left. */
async function endRest(turn: RunningTurn): Promise<void> {
  const { mark, setting, kin, pid } = turn
  if (noneOfTurn(pid, kin.first())) return
  await endMarked(mark, { only: (found) => found === mark, graceMs: setting.timings.sweepGraceMs, first: kin.first() })
  // A process that cleared its environment has lost its mark. It may still be in the group, or have left another
  // trace.
  endGroup(pid)
  await endStrays(traceOf(turn))
  if (setting.sandbox === null) await endTagged(mark, kin.first())
}

const traceOf = ({ kin, cwd, folder, setting }: RunningTurn): Trace => ({
  kin,
  ageMs: kin.first().ageMs,
  outputs: [folder.stream, folder.stderr],
  workspace: setting.hasOwnWorkspaces() ? cwd : null,
})

/**
 * Reads a turn that ended while no engine ran. If the keeper ended it, that is the outcome. Otherwise a valid answer
 * counts, and without one the turn is lost.
 */
export async function readEnded(turn: Turn, startedAtMs: number): Promise<WorkStatus> {
  const output = openOutput(turn, turn.setting.limits)
  try {
    const durationMs = (lastWrite(turn.folder) ?? startedAtMs) - startedAtMs
    const why = readEnd(turn.folder) ?? 'exited'
    const outcome = await readOutcome(turn, output, { code: null, signal: null, why }, durationMs)
    if (outcome.status === 'ok' || why !== 'exited') return { state: 'done', outcome }
    return { state: 'lost', why: 'the agent ended unseen, without an answer', usage: outcome.usage }
  } finally {
    output.close()
    scrub(turn)
  }
}

async function readOutcome(
  turn: Turn,
  output: Output,
  ended: Exit & { why: Why },
  durationMs: number,
): Promise<TurnOutcome> {
  const outcome = await rereadOutcome(turn, output, ended, durationMs)
  if (outcome.status === 'invalid') carryOutbox(turn)
  return outcome
}

/** Reads the outcome from the turn's files. Writes nothing, so it can be repeated. */
export async function rereadOutcome(
  turn: Turn,
  output: Output,
  ended: Exit & { why: Why },
  durationMs: number,
): Promise<TurnOutcome> {
  const {
    parser,
    mask,
    setting: {
      limits: { totalBytes },
      disk,
    },
  } = turn
  const said = await readAnswer(turn, output, ended)
  const answer = { ...said, value: await withOutbox(turn, said.value ?? declared(said.text, turn.work)) }
  const judgment = await judge({
    ...turn,
    purpose: turn.work.purpose,
    why: ended.why,
    answer,
    totalBytes,
    diskBytes: disk.limitBytes(),
    unrecoverable: parser.unrecoverable(),
  })
  const quotas = [...output.quotas(), ...(said.quotas ?? [])]
  return { ...toOutcome(judgment, answer, durationMs, mask), ...(quotas.length === 0 ? {} : { quotas }) }
}

async function readAnswer(turn: Turn, output: Output, { code, signal, why }: Exit & { why: Why }): Promise<TurnAnswer> {
  const { parser, folder, adapter, env, setting } = turn
  if (why !== 'flooded') await output.readAll()
  const extra = (await adapter.gather?.({ env, sessionId: parser.session() })) ?? null
  return parser.end({
    code,
    signal,
    file: readPlainFile(folder.result, setting.limits.resultBytes),
    stderr: output.stderrTail(),
    extra,
  })
}

async function withOutbox({ folder, work }: Turn, value: TurnAnswer['value']): Promise<TurnAnswer['value']> {
  const outbox = value === null ? null : readPlainFile(folder.outbox, outboxBytes)
  return value === null || outbox === null ? value : withAsides(value, work.purpose, outbox)
}

/** Keeps the outbox for the repair of the answer, which does not report its entries again. */
function carryOutbox({ folder, work, setting, mask }: Turn): void {
  const outbox = readPlainFile(folder.outbox, outboxBytes)
  try {
    if (outbox !== null) writePlainFile(carriedOutbox(setting.runDir, work.slot), mask(outbox))
  } catch {
    // The journal reports a full disk.
  }
}

/** Scrubs the files of a turn that is over, whatever its outcome. */
export function scrub({ folder, mask }: Pick<Turn, 'folder' | 'mask'>): void {
  if (mask.secrets.length > 0) scrubFiles(filesBelow(folder.path), mask.secrets)
}

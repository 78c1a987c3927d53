/** Starts a turn's agent as a detached process. */
import { dirname, join } from 'node:path'
import { outboxBytes } from '../agents/asides.ts'
import { stayInside } from '../platform/stay-inside.ts'
import { boundedText } from '../agents/bounded-text.ts'
import { loadSchemas } from '../agents/result.ts'
import { messageOf } from '../model/error.ts'
import { agentError, type AgentError } from '../model/agent-error.ts'
import type { WorkStatus } from '../model/ports/site.ts'
import type { TurnRequest } from './dispatch.ts'
import { writes } from '../model/purposes.ts'
import { noUsage } from '../model/usage.ts'
import { markVariable } from '../platform/mark.ts'
import { steadyNow } from '../platform/clock.ts'
import { readPlainFile, writePlainFile } from '../platform/plain-file.ts'
import { bootId, startTimeOf } from '../platform/process-identity.ts'
import { tuneMemory } from '../platform/memory-tuning.ts'
import { confineTurn } from './confine.ts'
import { spawnPatiently } from '../platform/spawn-patiently.ts'
import { createKin } from '../platform/strays.ts'
import { cancelled, createJob, type Job, type OpenJob } from './job.ts'
import { explainStart, ownLeader, startAgent } from './leader.ts'
import { openOutput } from './output.ts'
import { schemaFile, schemaText } from './schema-file.ts'
import { slotVariables } from './slot-variables.ts'
import { shortage } from './shortage.ts'
import { describeTurn, type Turn, type TurnSetting } from './turn.ts'
import { watchTurn } from './watch-turn.ts'
import { carriedOutbox, createFolder, writeProcess, type TurnFolder } from './turn-folder.ts'

export function startTurn(setting: TurnSetting, request: TurnRequest): Job {
  const job = createJob(request.starts, () => setting.hint())
  start(setting, request, job).catch((error: unknown) =>
    job.settle(failed(error) ?? refused(agentError('config', messageOf(error)))),
  )
  return job
}

async function start(setting: TurnSetting, request: TurnRequest, job: OpenJob): Promise<void> {
  const turn = describeTurn(setting, request.work, request.starts)
  if (turn === null)
    return job.settle(refused(agentError('config', `there is no agent "${request.work.agent}" that Looper can start`)))
  const schema = await schemaText(request.work.purpose)
  if (job.cancelled() !== null) return job.settle(cancelled)
  const { folder, mark } = turn
  const { argv, env, stdin, readOnly } = prepare(turn, request, schema)
  const output = openOutput(turn, setting.limits)
  const [startedAtMs, begunAt, steadyMs] = [Date.now(), performance.now(), steadyNow()]
  setting.keep()
  try {
    const promptFile = writePrompt(folder, stdin)
    const around = {
      ...turn.env,
      ...env,
      ...slotVariables(request.cwd),
      ...stayInside(request.cwd),
      [markVariable]: mark,
    }
    const command = confineTurn(turn, request.cwd, homeOf(turn), { argv, readOnly, env: around })
    const isWanted = (): boolean => job.cancelled() === null
    const child = await spawnPatiently(() => startAgent({ ...command, cwd: request.cwd, output, promptFile }), isWanted)
    if (child.pid === undefined) throw new Error('a process without a number')
    const disk = setting.disk.measure({ folder: folder.path, cwd: request.cwd, startedAtMs })
    const { pid } = child
    const supervision = watchTurn(
      {
        ...turn,
        output,
        disk,
        pid,
        leader: ownLeader(pid),
        begunAt,
        kin: createKin(pid, performance.now() - begunAt),
        cwd: request.cwd,
      },
      job,
    )
    const begun = { startedAtMs, steadyMs, cwd: request.cwd }
    const recording = setTimeout(() => recordProcess(folder, pid, begun), recordAfterMs)
    child.once('exit', (code, signal) => {
      clearTimeout(recording)
      supervision.exited({ code, signal })
    })
    child.on('error', () => {})
    // Its answer is checked with them. They are loaded while the agent works.
    void loadSchemas().then(tuneMemory)
  } catch (error) {
    output.close()
    const short = failed(error)
    if (short) return job.settle(job.cancelled() === null ? short : cancelled)
    const why = explainStart(error as NodeJS.ErrnoException, argv[0], request.cwd)
    job.settle(why === null ? { state: 'lost', why: `the workspace ${request.cwd} is gone` } : refused(why))
  }
}

/** Plans the command of the agent and writes the files that it needs. */
function prepare(turn: Turn, { work, prompt, cwd }: TurnRequest, schema: string) {
  const { folder, setting, config, env } = turn
  const shared = schemaFile(setting.runDir, work.purpose)
  const spec = turn.adapter.plan({
    run: setting.run,
    work,
    agent: config,
    env,
    prompt,
    cwd,
    folder: folder.path,
    home: homeOf(turn),
    rights: writes(work.purpose) ? 'write' : 'read',
    confined: setting.sandbox !== null,
    resultFile: folder.result,
    schemaFile: shared,
    schema,
    mcp: {
      command: process.execPath,
      args: [setting.mcpPath],
      env: {
        LOOPER_RESULT_FILE: folder.result,
        LOOPER_RESULT_SCHEMA: shared,
        LOOPER_PURPOSE: work.purpose,
        LOOPER_OUTBOX: folder.outbox,
      },
    },
  })
  createFolder(folder)
  for (const { path, content } of spec.files) {
    if (dirname(path) === folder.path) writePlainFile(path, content)
    else setting.keepFile(path, content)
  }
  const carried = work.errors.length === 0 ? null : readPlainFile(carriedOutbox(setting.runDir, work.slot), outboxBytes)
  if (carried !== null) writePlainFile(folder.outbox, carried)
  return spec
}

/** A folder shared only by this agent's turns of this run. */
const homeOf = ({ setting, work }: Turn): string => join(setting.runDir, 'homes', work.agent)

function writePrompt(folder: TurnFolder, text: string): string {
  writePlainFile(folder.prompt, text)
  return folder.prompt
}

/**
 * Delay before the record is written. Until then a later engine finds the process by its mark; most turns that end
 * sooner need no record.
 */
const recordAfterMs = 20

interface Start {
  startedAtMs: number
  steadyMs: number
  cwd: string
}

function recordProcess(folder: TurnFolder, pid: number, { startedAtMs, steadyMs, cwd }: Start): void {
  try {
    const startTime = startTimeOf(pid)
    const startedAt = new Date(startedAtMs).toISOString()
    if (startTime !== null) writeProcess(folder, { pid, startTime, bootId: bootId(), startedAt, steadyMs, cwd })
  } catch {
    // On a full disk or with an agent in the way, a later engine still finds the process by its mark.
  }
}

const refused = (error: AgentError): WorkStatus => ({
  state: 'done',
  outcome: {
    kind: 'turn',
    status: 'error',
    error: { ...error, message: boundedText(error.message) },
    usage: { ...noUsage },
    durationMs: 0,
    sessionId: null,
    edited: [],
  },
})

function failed(error: unknown): WorkStatus | null {
  const outcome = shortage(error)
  return outcome === null ? null : { state: 'done', outcome }
}

/** Runs one turn of an ACP agent from start to end and prints it as events of the command protocol. */
import { agentError, type AgentError } from '../../../model/agent-error.ts'
import { judgeExit, judgeStart } from '../../exit.ts'
import { eventTypes } from '../../protocol/events.ts'
import type { Moment } from '../../spoken-time.ts'
import type { Instruction } from '../instruction.ts'
import { startAgentProcess, type AgentProcess } from './agent-process.ts'
import { converse, Failure } from './converse.ts'
import { errorOfStop, errorOfWords } from './failure.ts'
import { createPeer, type Peer } from './peer.ts'
import { cancelled, choose, isAllowed } from './permission.ts'
import { createTranscript } from './transcript.ts'
import { createMeter, tokensOf } from './usage.ts'

export interface DriveOptions {
  instruction: Instruction
  prompt: string
  cwd: string
  env: NodeJS.ProcessEnv
  print(event: object): void
  /** A sign of life that has no event of its own. */
  pulse(): void
}

export interface Drive {
  /** Resolves with the driver's exit code when the agent has exited. Never rejects. */
  over: Promise<number>
  /** Asks the agent to stop; the second call kills it. */
  stop(): void
}

const cancelMs = 2_000
const interrupted = agentError('interrupted', 'the agent was interrupted')
/** More lines than this that are not messages mean that the program does not speak ACP. */
const mostPuzzles = 1_000

export function drive({ instruction, prompt, cwd, env, print, pulse }: DriveOptions): Drive {
  let sessionId: string | null = null
  let isPrompted = false
  let stops = 0
  let refused = false
  let puzzles: string[] = []
  let puzzled = 0
  let heardAt = performance.now()

  const meter = createMeter(instruction.session?.spentUsd ?? 0)
  const transcript = createTranscript(print, instruction.countsCost ? meter : () => 0)
  const permit = (params: Record<string, unknown>): object => {
    const allow = isAllowed(instruction.rights, transcript.ask(params.toolCall))
    if (!allow) refused = true
    return stops > 0 ? cancelled : choose(params.options, allow)
  }
  const peer: Peer = createPeer({
    write: (line) => agent.write(line),
    answer: (method, params) => (method === 'session/request_permission' ? permit(params) : undefined),
    onNotification(method, params) {
      if (method !== 'session/update') return
      heardAt = performance.now()
      if (isPrompted && params.sessionId === sessionId) transcript.take(params.update)
      pulse()
    },
    onUnreadable(line) {
      puzzles = [...puzzles, line.slice(0, 200)].slice(-3)
      if (++puzzled <= mostPuzzles) return
      peer.close(new Failure(agentError('bad_response', `the agent does not speak ACP: ${puzzles.join('\n')}`)))
    },
  })
  const agent: AgentProcess = startAgentProcess({
    argv: instruction.argv,
    env,
    onLine: (line) => peer.take(line),
    onComplaint: (chunk) => process.stderr.write(chunk),
  })
  agent.gone.then(
    (gone) => peer.close(new Failure(stops > 0 ? interrupted : judgeExit(gone, puzzles.join('\n')))),
    (why: unknown) => peer.close(new Failure(judgeStart(why as NodeJS.ErrnoException, instruction.argv[0]))),
  )
  const finish = (answer: Record<string, unknown>): AgentError | null => {
    const { words } = transcript.end()
    const tokens = tokensOf(answer)
    if (tokens !== null) print({ type: 'usage', ...tokens })
    return errorOfStop(answer.stopReason, refused) ?? errorOfWords(words, moment())
  }
  const run = async (): Promise<number> => {
    const error = await converse({
      peer,
      instruction,
      cwd,
      prompt,
      moment,
      silentMs: () => performance.now() - heardAt,
      onSession(id, canResume) {
        sessionId = id
        if (canResume) print({ type: 'session', id })
      },
      onPrompt: () => {
        isPrompted = true
      },
    }).then(finish, (why: unknown) => (why instanceof Failure ? why.error : agentError('unknown', String(why))))
    const { object } = transcript.end()
    if (object !== null && !eventTypes.has(object.type)) print(object)
    if (error !== null) print({ type: 'error', ...error })
    await agent.end()
    return error === null ? 0 : 1
  }
  return {
    over: run(),
    stop() {
      if (++stops > 1) return agent.kill()
      if (isPrompted) peer.notify('session/cancel', { sessionId })
      const giveUp = (): void => peer.close(new Failure(interrupted))
      setTimeout(giveUp, isPrompted ? cancelMs : 0)
    },
  }
}

/** The driver reads a message as soon as it is written, and the agent runs in the same time zone. */
function moment(): Moment {
  const now = new Date().toISOString()
  return { after: now, said: now, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

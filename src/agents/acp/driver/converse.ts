/** The conversation with an ACP agent: initialize, open a session, send the prompt. */
import { setTimeout as delay } from 'node:timers/promises'
import { agentError, type AgentError } from '../../../model/agent-error.ts'
import { version } from '../../../platform/version.ts'
import { dig, isObject, listOf, objectOf } from '../../json.ts'
import type { Moment } from '../../spoken-time.ts'
import type { Instruction } from '../instruction.ts'
import { errorOfRefusal } from './failure.ts'
import { Refusal, type Peer } from './peer.ts'

export interface Conversation {
  peer: Pick<Peer, 'ask'>
  instruction: Instruction
  cwd: string
  prompt: string
  /** `canResume`: whether a later turn can resume the session. */
  onSession(id: string, canResume: boolean): void
  /** Updates that arrive before this call do not belong to this turn. */
  onPrompt(): void
  /** Milliseconds since the last update of the agent. */
  silentMs(): number
  /** The current moment, to resolve times in the agent's messages. */
  moment(): Moment
}

/** An error of the conversation that carries the error of the turn. */
export class Failure extends Error {
  readonly error: AgentError

  constructor(error: AgentError) {
    super(error.message)
    this.error = error
  }
}

const spoken = 1
export const greeting = {
  protocolVersion: spoken,
  clientInfo: { name: 'looper', title: 'Looper', version },
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
}

/** Why the agent's answer to `initialize` cannot be used; null when it can. */
export const objectTo = ({ protocolVersion }: Record<string, unknown>): string | null =>
  protocolVersion === spoken
    ? null
    : `the agent speaks version ${JSON.stringify(protocolVersion)} of ACP, not ${spoken}`

/**
 * Bounds the wait for the first answer. A program that is downloaded at its start needs long; one that does not speak
 * ACP would never answer.
 */
const helloMs = 120_000
const settledMs = 250
const longestSettlingMs = 5_000

/**
 * Session modes to choose, by the rights of the role. An agent that offers none of them asks for permission instead.
 */
const modes = { write: ['bypassPermissions', 'yolo', 'agent-full-access', 'full-access'], read: ['read-only'] }

/**
 * Resolves with the agent's answer to the prompt. Rejects with a Failure, or with the error that the peer was closed
 * with.
 */
export async function converse({
  peer,
  instruction,
  cwd,
  prompt,
  ...listener
}: Conversation): Promise<Record<string, unknown>> {
  const ask = (during: 'start' | 'load' | 'prompt', method: string, params: object): Promise<Record<string, unknown>> =>
    peer.ask(method, params).then(
      (result) => objectOf(result) ?? {},
      (why: unknown) => {
        throw why instanceof Refusal ? new Failure(errorOfRefusal(why, during, listener.moment())) : why
      },
    )
  const hello = await inTime(ask('start', 'initialize', greeting))
  const objection = objectTo(hello)
  if (objection !== null) throw new Failure(agentError('config', objection))
  const way = wayToResume(hello)
  const opening = { cwd, mcpServers: [serverOf(instruction.mcp)] }
  const { session, rights, model } = instruction
  if (session !== null && way === null)
    throw new Failure(agentError('session_not_found', 'the agent cannot resume a session'))
  const opened =
    session === null || way === null
      ? await ask('start', 'session/new', opening)
      : await ask('load', way, { ...opening, sessionId: session.id })
  const sessionId = session?.id ?? opened.sessionId
  if (typeof sessionId !== 'string' || sessionId === '')
    throw new Failure(agentError('bad_response', 'the agent gave its session no id'))
  listener.onSession(sessionId, way !== null)
  const mode = modes[rights].find((id) => modeIds(opened).includes(id))
  // An agent that refuses the mode asks for permission instead.
  if (mode !== undefined) await ask('start', 'session/set_mode', { sessionId, modeId: mode }).catch(unlessClosed)
  if (model !== null) await ask('start', ...choiceOf(model, opened, sessionId))
  if (way === 'session/load') await settle(listener.silentMs)
  listener.onPrompt()
  return ask('prompt', 'session/prompt', { sessionId, prompt: [{ type: 'text', text: `${prompt}${reminder}` }] })
}

/** Agents prefix tool names in different ways, so the reminder names the server too. */
const reminder =
  '\n\nYou have a tool named `report`, of the MCP server `looper`: give your answer by calling it. '
  + 'It reports at once whether the answer is valid.\n'

/** Prefers `session/resume`, which does not replay the history of the session. */
function wayToResume(hello: Record<string, unknown>): 'session/resume' | 'session/load' | null {
  if (isObject(dig(hello, 'agentCapabilities', 'sessionCapabilities', 'resume'))) return 'session/resume'
  return dig(hello, 'agentCapabilities', 'loadSession') === true ? 'session/load' : null
}

const serverOf = ({ command, args, env }: Instruction['mcp']): object => ({
  name: 'looper',
  command,
  args,
  env: Object.entries(env).map(([name, value]) => ({ name, value })),
})

const modeIds = (opened: Record<string, unknown>): unknown[] =>
  listOf(dig(opened, 'modes', 'availableModes')).map((mode) => dig(mode, 'id'))

/** ACP has two ways to choose a model; an agent supports one, both or none. */
function choiceOf(
  model: string,
  { configOptions, models }: Record<string, unknown>,
  sessionId: string,
): [string, object] {
  const option = listOf(configOptions)
    .filter(isObject)
    .find(({ category, id }) => category === 'model' || id === 'model')
  if (option !== undefined) return ['session/set_config_option', { sessionId, configId: option.id, value: model }]
  if (isObject(models)) return ['session/set_model', { sessionId, modelId: model }]
  throw new Failure(agentError('config', `the agent offers no choice of models: set "${model}" in its own settings`))
}

function unlessClosed(why: unknown): void {
  if (!(why instanceof Failure)) throw why
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = new AbortController()
  const tooLate = delay(helloMs, undefined, { signal: late.signal }).then(() => {
    throw new Failure(
      agentError('bad_response', `the agent did not answer within ${helloMs / 1_000} s: does it speak ACP?`),
    )
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    late.abort()
    tooLate.catch(() => {})
  }
}

/**
 * Waits for the end of the replay: an agent that loads a session replays its history, and some continue after their
 * response.
 */
async function settle(silentMs: () => number): Promise<void> {
  const begun = performance.now()
  const waitedMs = (): number => performance.now() - begun
  while (Math.min(silentMs(), waitedMs()) < settledMs && waitedMs() < longestSettlingMs) await delay(settledMs / 5)
}

/** The conversation with an agent: get to know each other, open a session, give the prompt. */
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
  /** `canResume`: whether a later turn may go on with it. */
  onSession(id: string, canResume: boolean): void
  /** Before this, whatever the agent tells is not of this turn. */
  onPrompt(): void
  /** How long it has been telling nothing. */
  silentMs(): number
  /** Now, for times in its words. */
  moment(): Moment
}

/** Carries what the turn amounts to. */
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

/** Why its answer to the greeting is the end of it; null when it is none. */
export const objectTo = ({ protocolVersion }: Record<string, unknown>): string | null =>
  protocolVersion === spoken
    ? null
    : `the agent speaks version ${JSON.stringify(protocolVersion)} of ACP, not ${spoken}`

/**
 * A program that is fetched when it is started may take its time; one that speaks something else would take for ever.
 */
const helloMs = 120_000
const settledMs = 250
const longestSettlingMs = 5_000

/**
 * By the rights of the role: modes in which agents need not ask for everything. Where they have none of these, they
 * ask.
 */
const modes = { write: ['bypassPermissions', 'yolo', 'agent-full-access', 'full-access'], read: ['read-only'] }

/** Resolves with the agent's answer to the prompt. Rejects with a Failure, or with what the peer was closed with. */
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
  const place = { cwd, mcpServers: [serverOf(instruction.mcp)] }
  const { session, rights, model } = instruction
  if (session !== null && way === null)
    throw new Failure(agentError('session_not_found', 'the agent cannot go on with a session'))
  const opened =
    session === null || way === null
      ? await ask('start', 'session/new', place)
      : await ask('load', way, { ...place, sessionId: session.id })
  const sessionId = session?.id ?? opened.sessionId
  if (typeof sessionId !== 'string' || sessionId === '')
    throw new Failure(agentError('bad_response', 'the agent gave its session no id'))
  listener.onSession(sessionId, way !== null)
  const mode = modes[rights].find((id) => modeIds(opened).includes(id))
  // An agent that will not change its mode asks for permission instead.
  if (mode !== undefined) await ask('start', 'session/set_mode', { sessionId, modeId: mode }).catch(unlessClosed)
  if (model !== null) await ask('start', ...choiceOf(model, opened, sessionId))
  if (way === 'session/load') await settle(listener.silentMs)
  listener.onPrompt()
  return ask('prompt', 'session/prompt', { sessionId, prompt: [{ type: 'text', text: `${prompt}${reminder}` }] })
}

/** Agents name tools each in their own way, so the server is named too. */
const reminder =
  '\n\nYou have a tool named `report`, of the MCP server `looper`: give your answer by calling it. '
  + 'It tells you at once whether the answer is valid.\n'

/** Without telling the whole story again, where the agent can do that. */
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

/** There are two ways of choosing a model, and agents have one, both or none. */
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
  throw new Failure(agentError('config', `the agent lets nobody choose its model: put "${model}" into its own options`))
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

/** An agent that loads a session tells its story again, and some go on with that after they said they were done. */
async function settle(silentMs: () => number): Promise<void> {
  const begun = performance.now()
  const waitedMs = (): number => performance.now() - begun
  while (Math.min(silentMs(), waitedMs()) < settledMs && waitedMs() < longestSettlingMs) await delay(settledMs / 5)
}

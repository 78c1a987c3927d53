/** Speaks the Agent Client Protocol with a CLI for one turn, saying yes to everything it asks. */
import { createInterface } from 'node:readline'

/** It works on the files itself. */
const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false }

/**
 * Resolves with everything the client said, when the turn is over.
 * @param {import('node:child_process').ChildProcessWithoutNullStreams} child
 * @param {{
 *   workspace: string, prompt: string, session: string | undefined, mode: string | undefined, mcpServers: object[],
 *   cancel: Promise<unknown> | null
 * }} turn
 * @returns {Promise<string>}
 */
export async function converse(child, { workspace, prompt, session, mode, mcpServers, cancel }) {
  const { ask, say, said } = createConnection(child)
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const turn = async () => {
    await ask('initialize', { protocolVersion: 1, clientCapabilities })
    const place = { cwd: workspace, mcpServers }
    const opened = await (session ? ask('session/load', { ...place, sessionId: session }) : ask('session/new', place))
    const sessionId = session ?? opened.sessionId
    if (mode) await ask('session/set_mode', { sessionId, modeId: mode })
    void cancel?.then(() => say({ method: 'session/cancel', params: { sessionId } }))
    await ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] })
  }
  // What it refuses is in the recording.
  await Promise.race([turn().catch(() => {}), gone])
  return said()
}

/** @param {import('node:child_process').ChildProcessWithoutNullStreams} child */
function createConnection(child) {
  let said = ''
  let asked = 0
  /** @type {Map<number, (message: any) => void>} */
  const waiting = new Map()
  const say = (/** @type {object} */ message) => {
    const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
    said += line
    child.stdin.write(line)
  }
  /** @type {(method: string, params: object) => Promise<any>} */
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      const id = asked++
      waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)))
      say({ id, method, params })
    })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parsed(line)
    if (message.method === undefined) waiting.get(message.id)?.(message)
    else if (message.id !== undefined) say({ id: message.id, ...answerTo(message) })
  })
  return { ask, say, said: () => said }
}

/** @type {(message: { method: string, params: any }) => object} */
function answerTo({ method, params }) {
  if (method !== 'session/request_permission') return { error: { code: -32601, message: `There is no ${method}` } }
  const option = params.options.find((/** @type {{ kind: string }} */ { kind }) => kind.startsWith('allow'))
  return { result: { outcome: { outcome: 'selected', optionId: option.optionId } } }
}

/** Some print other things between. @type {(line: string) => any} */
function parsed(line) {
  try {
    return JSON.parse(line)
  } catch {
    return {}
  }
}

#!/usr/bin/env node
/**
 * A stand-in for agents that speak ACP: does what the scenario in its argument says, and writes down what it is told.
 */
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** @typedef {{ code: number, message: string, data?: unknown }} RpcError */
/**
 * What comes first in a turn happens first.
 * @typedef {{ update: object, sessionId?: string } | { permission: object } | { ask: string } | { print: string } | {
 * complain: string }
 *   | { report: object } | { until: string } | { pause: number } | { exit: number } | { signal: NodeJS.Signals } | { hang: true }} Step
 * @typedef {object} Scenario
 * @property {object} [hello] on top of the usual answer to `initialize`
 * @property {object} [session] on top of the usual answer to `session/new`
 * @property {Record<string, RpcError>} [refuse] by method
 * @property {string[]} [deaf] methods that are never answered
 * @property {Step[]} [first] before anything else
 * @property {Step[]} [replay] when a session is loaded, before the answer
 * @property {Step[]} [late] when a session is loaded, after the answer
 * @property {Step[]} [turn]
 * @property {object} [answer] to the prompt
 * @property {NodeJS.Signals[]} [stubborn] signals that do not end it
 * @property {boolean} [stays] when its input ends
 */

/** @type {Scenario} */
const scenario = JSON.parse(process.argv[2] ?? '{}')
const permissions = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]
const usual = {
  initialize: { protocolVersion: 1, agentCapabilities: { loadSession: true }, ...scenario.hello },
  'session/new': { sessionId: 's-1', ...scenario.session },
  'session/load': { ...scenario.session },
  'session/resume': { ...scenario.session },
  'session/prompt': { stopReason: 'end_turn', ...scenario.answer },
}
/** @type {Map<unknown, (answer: unknown) => void>} */
const waiting = new Map()
/** @type {Map<string, () => void>} */
const awaited = new Map()
/** @type {{ command: string, args: string[], env: { name: string, value: string }[] } | undefined} */
let server
let asked = 0

const note = (/** @type {object} */ what) => appendFileSync('acp.log', `${JSON.stringify(what)}\n`)
const send = (/** @type {object} */ message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const ask = (/** @type {string} */ method, /** @type {object} */ params) =>
  new Promise((resolve) => {
    const id = `ask-${asked++}`
    waiting.set(id, resolve)
    send({ id, method, params })
  })

/** @param {object} result what is reported by the tool of the server that the session was opened with */
function report(result) {
  if (server === undefined) throw new Error('there is no server')
  const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]))
  const child = spawn(server.command, server.args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'report', arguments: result } })}\n`,
  )
  return new Promise((resolve) => child.on('close', resolve))
}

/** @param {Step} step */
async function perform(step) {
  if ('update' in step)
    send({ method: 'session/update', params: { sessionId: step.sessionId ?? 's-1', update: step.update } })
  else if ('permission' in step) {
    note({
      permission: await ask('session/request_permission', {
        sessionId: 's-1',
        toolCall: step.permission,
        options: permissions,
      }),
    })
  } else if ('ask' in step) note({ [step.ask]: await ask(step.ask, {}) })
  else if ('print' in step) process.stdout.write(step.print)
  else if ('complain' in step) process.stderr.write(step.complain)
  else if ('report' in step) await report(step.report)
  else if ('until' in step) await new Promise((resolve) => awaited.set(step.until, () => resolve(undefined)))
  else if ('pause' in step) await new Promise((resolve) => setTimeout(resolve, step.pause))
  else if ('exit' in step) process.exit(step.exit)
  else if ('signal' in step) process.kill(process.pid, step.signal)
  else await new Promise(() => {})
}

async function play(/** @type {Step[]} */ steps = []) {
  for (const step of steps) await perform(step)
}

for (const signal of scenario.stubborn ?? []) process.on(signal, () => note({ signal }))
if (scenario.stays || scenario.stubborn) setInterval(() => {}, 60_000)
note({ pid: process.pid, mark: process.env['LOOPER_MARK'], told: process.env['LOOPER_ACP'] ?? null })
await play(scenario.first)

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, ...answer } = JSON.parse(line)
  if (method === undefined) return waiting.get(id)?.(answer)
  note({ method, params })
  awaited.get(method)?.()
  if (id === undefined || scenario.deaf?.includes(method)) return
  const refusal = scenario.refuse?.[method]
  if (refusal) return send({ id, error: refusal })
  if (params?.mcpServers) server = params.mcpServers[0]
  if (method === 'session/load') await play(scenario.replay)
  if (method === 'session/prompt') await play(scenario.turn)
  send({ id, result: usual[/** @type {keyof typeof usual} */ (method)] ?? {} })
  if (method === 'session/load') await play(scenario.late)
})

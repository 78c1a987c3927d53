/** Performs the steps of a script: real edits, real commands, real misbehaviour. */
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const print = (text) => writeAll(Buffer.from(text))
export const emit = (event) => print(`${JSON.stringify(event)}\n`)

/** Retries while stdout is full: it is a file in a run, but may be a pipe when a person starts the player. */
function writeAll(bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

/** An open brace, bytes that are not UTF-8, a NUL, a color code, an open string. */
const garbage = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0xc3, 0x28, 0x22, 0x0a])

const edit = (path, change) => {
  mkdirSync(dirname(path), { recursive: true })
  change(path)
}

/** @type {Record<string, (value: any) => unknown>} */
const actions = {
  write: ({ path, content }) => edit(path, () => writeFileSync(path, content)),
  append: ({ path, content }) => edit(path, () => appendFileSync(path, content)),
  replace: ({ path, find, with: replacement }) => {
    const before = readFileSync(path, 'utf8')
    if (!before.includes(find)) throw new Error(`replace: ${path} does not hold ${JSON.stringify(find)}`)
    writeFileSync(
      path,
      before.replaceAll(find, () => replacement),
    )
  },
  delete: (path) => rmSync(path, { recursive: true }),
  run: ([program, ...args]) => {
    const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    if (error) throw error
    emit({ type: 'command', command: [program, ...args].join(' '), exitCode: status })
  },
  sleep,
  message: (text) => emit({ type: 'message', text }),
  tool_use: (use) => emit({ type: 'tool_use', ...use }),
  usage: (usage) => emit({ type: 'usage', ...usage }),
  error: (error) => emit({ type: 'error', ...error }),
  session: (id) => emit({ type: 'session', id }),
  garbage: (text) => (text === true ? writeAll(garbage) : print(text)),
  flood: (bytes) => {
    const block = Buffer.from(`${'flood '.repeat(10_922)}\n`)
    for (let left = bytes; left > 0; left -= block.length) writeAll(block.subarray(0, Math.min(left, block.length)))
  },
  hang: (how) => {
    if (how === 'stubborn') for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
    setInterval(() => {}, 2 ** 30)
    return new Promise(() => {})
  },
  background: (seconds) => spawn('sleep', [String(seconds)], { detached: true, stdio: 'inherit' }).unref(),
  exit: (code) => process.exit(code),
  signal: (name) => {
    process.kill(process.pid, name)
    return new Promise(() => setInterval(() => {}, 2 ** 30))
  },
  result: (value) => {
    const file = process.env.LOOPER_RESULT_FILE
    if (!file) return print(`${JSON.stringify(value)}\n`)
    writeFileSync(`${file}.tmp`, typeof value === 'string' ? value : JSON.stringify(value), { mode: 0o600 })
    renameSync(`${file}.tmp`, file)
  },
}

/** @param {import('./script.js').Step} step */
export const perform = async ({ kind, value }) => actions[kind](fill(value))

/** Replaces `${LOOPER_TASK}` and the other variables in any text of a step with the turn's values. */
function fill(value) {
  if (typeof value === 'string')
    return value.replace(/\$\{(LOOPER_[A-Z_]+)\}/g, (same, name) => process.env[name] ?? same)
  if (Array.isArray(value)) return value.map(fill)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item)]))
}

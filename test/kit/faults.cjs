/**
 * Faults from outside: loaded into Looper's process by `node --require`, before the program, it stands between the
 * program and what that keeps under `.looper/` and `.git/`. It counts each step that changes something there, and can
 * kill the process at one of them, refuse writes and starts of processes, set the clock, or let it have slept. FAULTS
 * in the environment is the plan (see faults.ts); it goes no further than this process.
 */
'use strict'
const fs = require('node:fs')
const promises = require('node:fs/promises')

const { log, kill, fail, jumps = [], sleep, spawn } = JSON.parse(process.env.FAULTS ?? '{}')
delete process.env.FAULTS

const { closeSync, openSync, rmSync, writeSync } = fs
const done = []
/** What was done so far of each kind that kills can count. */
const counts = { step: 0, divisible: 0, lasting: 0 }
/** Makes something last: after it, a new engine finds something else than before it. */
const lasting = /^(?:write|rename|symlink|link|copyFile|f?(?:data)?sync)(?:Sync)?$/

/** Open files that are kept, by descriptor. */
const files = new Map()
const isKept = (path) => /(?:^|\/)\.(?:looper|git)(?:\/|$)/.test(path)
const nameOf = (path) => (typeof path === 'number' ? (files.get(path) ?? '') : String(path))

function tell() {
  if (log === undefined) return
  const file = openSync(log, 'w')
  writeSync(file, done.map(({ kinds, text }) => `${kinds.join(',')}\t${text}`).join('\n'))
  closeSync(file)
}

function die() {
  tell()
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

/** A step of the program: `data` is what it writes, `part` does only a part of it. */
class Step {
  constructor(name, path, part, data) {
    const kinds = ['step', ...(part === undefined ? [] : ['divisible']), ...(lasting.test(name) ? ['lasting'] : [])]
    this.numbers = Object.fromEntries(kinds.map((kind) => [kind, (counts[kind] += 1)]))
    this.entry = { kinds, text: `${name} ${path}` }
    done.push(this.entry)
    Object.assign(this, { name, path, data })
    if (kill?.when === 'before' && this.is(kill)) die()
    if (kill?.when === 'during' && this.is({ of: 'divisible', ...kill })) {
      part()
      die()
    }
  }

  is({ at, of = 'step', said, does }) {
    if (does !== undefined) return this.entry.text.startsWith(`${does.call} `) && this.path.includes(does.path)
    return said === undefined ? this.numbers[of] === at : String(this.data ?? '').includes(said)
  }

  over() {
    if (kill?.when === 'after' && this.is(kill)) die()
    for (const jump of jumps.filter((one) => this.is(one))) {
      shift += jump.ms
      jumps.splice(jumps.indexOf(jump), 1)
      this.entry.text += ` and the clock is set by ${jump.ms} ms`
    }
  }
}

let refusable = 0
let cut = false

/** Like a disk that is full or broken: the first part of a write still gets through, the next says why not. */
function refuse({ name, path, data }, part) {
  if (fail === undefined || !path.endsWith(fail.file) || !fail.calls.includes(name)) return undefined
  if (!cut) refusable += 1
  if (refusable < fail.from || refusable >= fail.from + fail.times) return undefined
  if (data !== undefined && !cut && data.length > 1) {
    cut = true
    return part()
  }
  cut = false
  throw Object.assign(new Error(`${fail.code}: refused, ${name}`), { code: fail.code, syscall: name })
}

/** A folder on its way out: every other thing in it is gone. */
function thin(folder) {
  for (const name of fs.readdirSync(folder).filter((_, place) => place % 2 === 0))
    rmSync(`${folder}/${name}`, { recursive: true })
}

/** Wraps functions that change something at a path; the last of their paths is the one that changes. */
function wrap(owner, names, paths, isAsync) {
  for (const name of names) {
    const original = owner[name]
    owner[name] = function (...args) {
      const path = nameOf(args[paths - 1])
      if (!isKept(path)) return original.apply(this, args)
      const step = new Step(
        name,
        path,
        /^rm(?:Sync)?$/.test(name) && fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()
          ? () => thin(path)
          : undefined,
      )
      if (isAsync) return original.apply(this, args).finally(() => step.over())
      try {
        return original.apply(this, args)
      } finally {
        step.over()
      }
    }
  }
}

const onPath = ['mkdir', 'rm', 'unlink', 'rmdir', 'truncate', 'chmod', 'utimes', 'mkdtemp']
const onTwo = ['rename', 'symlink', 'link', 'copyFile', 'cp']
const sync = (name) => `${name}Sync`
wrap(fs, onPath.map(sync), 1, false)
wrap(fs, onTwo.map(sync), 2, false)
wrap(fs, ['fsyncSync', 'fdatasyncSync', 'ftruncateSync'], 1, false)
wrap(promises, onPath, 1, true)
wrap(promises, onTwo, 2, true)

const { O_CREAT, O_TRUNC } = fs.constants
const creates = (flags = 'r') =>
  typeof flags === 'number' ? (flags & (O_CREAT | O_TRUNC)) !== 0 : !flags.startsWith('r')

fs.openSync = (path, flags, mode) => {
  const step = creates(flags) && isKept(nameOf(path)) ? new Step('open', nameOf(path)) : null
  const file = openSync(path, flags, mode)
  files.set(file, nameOf(path))
  step?.over()
  return file
}

fs.closeSync = (file) => {
  files.delete(file)
  closeSync(file)
}

/** The end of the data that is left to write, as bytes. */
function rest(data, offset, length) {
  const bytes = Buffer.from(data)
  const options = typeof offset === 'object' && offset !== null ? offset : { offset, length }
  const from = typeof data === 'string' ? 0 : (options.offset ?? 0)
  return bytes.subarray(from, from + (typeof data === 'string' ? bytes.length : (options.length ?? bytes.length)))
}

fs.writeSync = (file, data, offset, length, position) => {
  const path = nameOf(file)
  if (!isKept(path)) return writeSync(file, data, offset, length, position)
  const bytes = rest(data, offset, length)
  const part = () => writeSync(file, bytes, 0, Math.ceil(bytes.length / 2))
  const step = new Step('write', path, part, bytes)
  const written = refuse(step, part) ?? writeSync(file, data, offset, length, position)
  step.over()
  return written
}

/** In its steps: made, then written. */
const { writeFileSync } = fs
fs.writeFileSync = (path, data, options) => {
  if (!isKept(nameOf(path))) return writeFileSync(path, data, options)
  const file = fs.openSync(path, options?.flag ?? 'w', options?.mode)
  try {
    const bytes = Buffer.from(data)
    for (let at = 0; at < bytes.length;) at += fs.writeSync(file, bytes, at)
  } finally {
    fs.closeSync(file)
  }
}

const { open, writeFile } = promises
promises.open = async (path, flags, mode) => {
  const step = creates(flags) && isKept(nameOf(path)) ? new Step('open', nameOf(path)) : null
  const file = await open(path, flags, mode)
  wrapHandles(Object.getPrototypeOf(file))
  files.set(file.fd, nameOf(path))
  step?.over()
  return file
}

promises.writeFile = async (path, data, options) => {
  if (typeof path === 'object' || !isKept(nameOf(path))) return writeFile(path, data, options)
  const file = await promises.open(path, options?.flag ?? 'w', options?.mode)
  try {
    await file.writeFile(data)
  } finally {
    await file.close()
  }
}

let wrapped = false

function wrapHandles(handle) {
  if (wrapped) return
  wrapped = true
  const { close, truncate, sync: fsync, datasync, write, writeFile: fill } = handle
  handle.close = function () {
    files.delete(this.fd)
    return close.call(this)
  }
  const change = (name, original) =>
    async function (...args) {
      const path = nameOf(this.fd)
      if (!isKept(path)) return original.apply(this, args)
      const step = new Step(name, path)
      refuse(step, () => {})
      const result = await original.apply(this, args)
      step.over()
      return result
    }
  Object.assign(handle, {
    truncate: change('truncate', truncate),
    sync: change('sync', fsync),
    datasync: change('datasync', datasync),
  })
  const put = (original) =>
    async function (data, ...more) {
      const path = nameOf(this.fd)
      if (!isKept(path)) return original.call(this, data, ...more)
      const bytes = rest(data, ...more)
      const part = () => ({ bytesWritten: writeSync(this.fd, bytes, 0, Math.ceil(bytes.length / 2)) })
      const step = new Step('write', path, part, bytes)
      const result = refuse(step, part) ?? (await original.call(this, data, ...more))
      step.over()
      return result
    }
  Object.assign(handle, { write: put(write), writeFile: put(fill), appendFile: put(fill) })
}

let shift = 0
let slept = 0
/** Read with every look at a clock: a process that was stopped meanwhile must not see the old time on any. */
function sleptMs() {
  if (sleep !== undefined && slept === 0 && fs.existsSync(sleep.file)) slept = sleep.ms
  return slept
}

const now = Date.now.bind(Date)
Date.now = () => now() + shift + sleptMs()
globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [target.now()] : args, made),
  apply: (target) => new target(target.now()).toString(),
})

const { performance, setTimeout, clearTimeout } = globalThis
const steady = performance.now.bind(performance)
performance.now = () => steady() + sleptMs()

const lookMs = 50
/** Timers that are due when it has slept. */
const dozing = new Map()

if (sleep !== undefined) {
  globalThis.setTimeout = (callback, ms, ...args) => {
    const ring = () => {
      dozing.delete(timer)
      callback(...args)
    }
    const timer = setTimeout(ring, ms)
    if (ms >= 1_000 && ms <= sleep.ms) dozing.set(timer, ring)
    return timer
  }
  globalThis.clearTimeout = (timer) => {
    dozing.delete(timer)
    clearTimeout(timer)
  }
  let looks = 0
  const looking = setInterval(() => {
    if (sleptMs() === 0) return
    looks += 1
    for (const [timer, ring] of looks === 1 ? [...dozing] : []) {
      clearTimeout(timer)
      ring()
    }
    // By now everything that looks at a clock now and then has done so.
    if (looks === 10) {
      clearInterval(looking)
      fs.writeFileSync(`${sleep.file}.noticed`, '')
    }
  }, lookMs)
  looking.unref()
}

/** Like a machine without room for another process: the system call itself says so. */
if (spawn !== undefined) {
  const { Process } = process.binding('process_wrap')
  const { spawn: really } = Process.prototype
  const errno = -require('node:os').constants.errno[spawn.code]
  let calls = 0
  Process.prototype.spawn = function (options) {
    if (!(options.args ?? []).some((word) => word.includes(spawn.of ?? ''))) return really.call(this, options)
    calls += 1
    return calls >= spawn.from && calls < spawn.from + spawn.times ? errno : really.call(this, options)
  }
}

process.on('exit', tell)

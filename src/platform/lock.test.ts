import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isLocked, nudge } from './lock-client.ts'
import { writeHolder } from './lock-holder.ts'
import { fileAddress, lockAddressOf } from './lock-address.ts'
import type { LockAddress } from './lock-address.ts'
import { acquireLock, lockName } from './lock.ts'
import type { Lock } from './lock.ts'
import { isAlive, type ProcessIdentity } from './process-identity.ts'

let dir: string
const locks: Lock[] = []
const children: ChildProcess[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'looper-lock-'))
  await bundleHolder()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(locks.splice(0).map((lock) => lock.release()))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Bundles a program that takes the lock with the real code, prints whether it has it, and keeps running. */
async function bundleHolder(): Promise<void> {
  const entry = join(dir, 'holder.ts')
  const here = import.meta.dirname
  await writeFile(
    entry,
    `
    import { acquireLock } from ${JSON.stringify(join(here, 'lock.ts'))}
    import { fileAddress } from ${JSON.stringify(join(here, 'lock-address.ts'))}
    import { spawn } from 'node:child_process'
    const [name, folder, mode] = process.argv.slice(2)
    const lock = await acquireLock(name, folder === '-' ? undefined : fileAddress(folder, name))
    if (mode === 'with-child') console.log(spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).pid)
    console.log(lock === null ? 'refused' : 'held')
    if (lock === null) process.exit()
  `,
  )
  const bundle = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' })
  await bundle.write({ file: join(dir, 'holder.mjs'), format: 'esm' })
  await bundle.close()
}

async function startHolder(name: string, folder: string, mode = ''): Promise<{ child: ChildProcess; lines: string[] }> {
  const child = spawn(process.execPath, [join(dir, 'holder.mjs'), name, folder, mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line === 'held' || line === 'refused') break
  }
  return { child, lines }
}

async function take(name: string, address: LockAddress): Promise<Lock> {
  const lock = await acquireLock(name, address)
  if (lock === null) throw new Error('the lock is held')
  locks.push(lock)
  return lock
}

let serial = 0
const freshName = (): string => `test-${process.pid}-${serial++}`
const kinds = [
  { kind: 'the place of this system', folder: () => '-', place: (name: string) => lockAddressOf(name) },
  { kind: 'a file (macOS)', folder: () => join(dir, 's'), place: (name: string) => fileAddress(join(dir, 's'), name) },
]

describe.each(kinds)('a lock in $kind', ({ folder, place: addressOf }) => {
  test('is held by one and free again after release', async () => {
    const name = freshName()
    expect(await isLocked(name, addressOf(name))).toBe(false)
    await take(name, addressOf(name))
    expect(await isLocked(name, addressOf(name))).toBe(true)
    expect(await acquireLock(name, addressOf(name))).toBeNull()
    await locks.pop()?.release()
    expect(await isLocked(name, addressOf(name))).toBe(false)
    await take(name, addressOf(name))
  })

  test('C6: dies with its process, even while a detached child of it lives on', async () => {
    const name = freshName()
    const { child, lines } = await startHolder(name, folder(), 'with-child')
    const sleeper = Number(lines[0])
    try {
      expect(lines.at(-1)).toBe('held')
      expect(await acquireLock(name, addressOf(name))).toBeNull()
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(process.kill(sleeper, 0)).toBe(true)
      expect(await isLocked(name, addressOf(name))).toBe(false)
      await take(name, addressOf(name))
    } finally {
      process.kill(sleeper, 'SIGKILL')
    }
  })

  test('C6: is not lost while its process is stopped', async () => {
    const name = freshName()
    const { child } = await startHolder(name, folder())
    child.kill('SIGSTOP')
    expect(await acquireLock(name, addressOf(name))).toBeNull()
    expect(await isLocked(name, addressOf(name))).toBe(true)
  })

  test('goes to exactly one of many that want it at once, after its holder was killed', async () => {
    for (let round = 0; round < 3; round++) {
      const name = freshName()
      const { child } = await startHolder(name, folder())
      child.kill('SIGKILL')
      await once(child, 'exit')
      const results = await Promise.all([
        ...Array.from({ length: 4 }, async () => (await startHolder(name, folder())).lines.at(-1)),
        ...Array.from({ length: 4 }, async () => {
          const lock = await acquireLock(name, addressOf(name))
          if (lock !== null) locks.push(lock)
          return lock === null ? 'refused' : 'held'
        }),
      ])
      expect(results.filter((result) => result === 'held')).toHaveLength(1)
    }
  })

  test('nudges its holder', async () => {
    const name = freshName()
    expect(await nudge(name, addressOf(name))).toBe(false)
    const lock = await take(name, addressOf(name))
    let nudges = 0
    lock.onNudge(() => nudges++)
    expect(await nudge(name, addressOf(name))).toBe(true)
    expect(await nudge(name, addressOf(name))).toBe(true)
    expect(nudges).toBe(2)
  })
})

async function dial(name: string): Promise<Socket> {
  const file = (await readdir(join(dir, 's'))).find((entry) => entry.startsWith(`${name}.`))
  const socket = connect(join(dir, 's', file!))
  socket.on('error', () => {})
  return socket
}

const closing = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()))

describe('a holder and hostile clients', () => {
  test.each([
    ['an unknown request', Buffer.from('destroy everything\n')],
    ['two requests', Buffer.from('nudge\nnudge\n')],
    ['nothing but a line end', Buffer.from('\n')],
  ])('cuts off %s and stays well', async (_, bytes) => {
    const name = freshName()
    const address = fileAddress(join(dir, 's'), name)
    const lock = await take(name, address)
    let nudges = 0
    lock.onNudge(() => nudges++)
    const socket = await dial(name)
    socket.write(bytes)
    socket.resume()
    await closing(socket)
    expect(nudges).toBe(0)
    expect(await nudge(name, fileAddress(join(dir, 's'), name))).toBe(true)
  })

  test('cuts off garbage without end', async () => {
    const name = freshName()
    await take(name, fileAddress(join(dir, 's'), name))
    const socket = await dial(name)
    const flood = setInterval(() => socket.write(Buffer.alloc(50, 0xff)), 1)
    await closing(socket)
    clearInterval(flood)
    expect(await nudge(name, fileAddress(join(dir, 's'), name))).toBe(true)
  })

  test('is released despite a silent client', async () => {
    const name = freshName()
    await take(name, fileAddress(join(dir, 's'), name))
    const socket = await dial(name)
    await once(socket, 'connect')
    await locks.pop()?.release()
    socket.destroy()
  })
})

describe('the folder of file locks', () => {
  test('is private, and one that others can use is refused', async () => {
    const open = join(dir, 'open')
    await mkdir(open)
    await chmod(open, 0o777)
    await expect(acquireLock('x', fileAddress(open, 'x'))).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
    await take('y', fileAddress(join(dir, 'made'), 'y'))
    expect((await stat(join(dir, 'made'))).mode & 0o777).toBe(0o700)
    await symlink(join(dir, 'made'), join(dir, 'link'))
    await expect(acquireLock('z', fileAddress(join(dir, 'link'), 'z'))).rejects.toMatchObject({
      code: 'ENVIRONMENT_IO',
    })
  })

  test('keeps no dead file after a takeover and none after release', async () => {
    const folder = join(dir, 't')
    const { child } = await startHolder('n', folder)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(folder)).toHaveLength(1)
    await take('n', fileAddress(folder, 'n'))
    expect(await readdir(folder)).toHaveLength(1)
    await locks.pop()?.release()
    expect(await readdir(folder)).toEqual([])
  })
})

test('names a run folder the same however it is reached', async () => {
  await mkdir(join(dir, 'run'))
  await symlink(join(dir, 'run'), join(dir, 'alias'))
  expect(lockName(join(dir, 'alias'))).toBe(lockName(join(dir, 'run')))
  expect(lockName(join(dir, 'run'))).not.toBe(lockName(dir))
})

describe('C6: the holder as people see it', () => {
  test('is this process, alive, with a heartbeat, readable by its user alone', async () => {
    await writeHolder(dir)
    const holder = JSON.parse(await readFile(join(dir, 'lock.json'), 'utf8')) as ProcessIdentity & {
      heartbeatAt: string
    }
    expect(holder.pid).toBe(process.pid)
    expect(isAlive(holder)).toBe(true)
    expect(Number.isNaN(Date.parse(holder.heartbeatAt))).toBe(false)
    expect((await stat(join(dir, 'lock.json'))).mode & 0o777).toBe(0o600)
  })
})

/**
 * The address of a lock's socket. The kernel closes a listening socket with its process, so a lock never outlives its
 * holder. Linux has abstract sockets without files. Elsewhere the socket is a file, and the file of a dead process must
 * be distinguished from the file of a live one.
 */
import { createHash, randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Server, Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { LooperError } from '../model/error.ts'
import { errnoOf, ioError } from './files.ts'

export interface LockAddress {
  /** Listens on this address; false when a live process already does. */
  occupy(server: Server): Promise<boolean>
  /** Connects to the live holder; null when there is none. */
  reach(): Promise<Socket | null>
  vacate(): Promise<void>
}

/**
 * Every user has separate addresses. They do not depend on TMPDIR, because processes with different values must find
 * the same lock.
 */
export function lockAddressOf(name: string): LockAddress {
  const uid = ownUid()
  const hash = createHash('sha512').update(`${uid}:${name}`).digest('hex')
  return process.platform === 'linux' ? abstractAddress(hash) : fileAddress(`/tmp/looper-${uid}`, hash.slice(0, 24))
}

const ownUid = (): number => process.getuid?.() ?? 0

/**
 * `\0` and 107 characters fill the address. Node 20 pads shorter addresses and Node 22 does not, so the two would use
 * different addresses.
 */
function abstractAddress(hash: string): LockAddress {
  const path = `\0looper-${hash.slice(0, 100)}`
  return {
    async occupy(server) {
      try {
        await listen(server, path)
        return true
      } catch (error) {
        if (errnoOf(error) === 'EADDRINUSE') return false
        throw ioError(error, 'the lock of the run')
      }
    },
    reach: async () => {
      const result = await tryConnect(path)
      return typeof result === 'object' ? result : null
    },
    vacate: async () => {},
  }
}

const maxTries = 12

/**
 * Each candidate has its own file, which becomes visible only after it listens. A candidate holds the lock only if it
 * sees no other file after that. The later of two candidates always sees the earlier one, so never do both hold the
 * lock. Among candidates that see each other, the first by name waits and the others withdraw. Names are never reused,
 * so a file whose socket refuses connections is dead for good and any process may remove it.
 */
export function fileAddress(folder: string, hash: string): LockAddress {
  const mine = `${hash}.${process.pid}-${randomBytes(4).toString('hex')}`
  const shown = join(folder, mine)
  const hidden = join(folder, `.${mine}`)
  const others = async (): Promise<string[]> => {
    const names = await readdir(folder).catch(() => [])
    return names.filter((name) => name.startsWith(`${hash}.`) && name !== mine).map((name) => join(folder, name))
  }
  const contend = async (): Promise<boolean> => {
    let visible = false
    for (let tries = 0; tries < maxTries; tries++) {
      const contenders = await living(await others())
      if (contenders.length === 0) {
        if (visible) return true
        await rename(hidden, shown)
        visible = true
        continue
      }
      if (visible && contenders.some((contender) => contender < shown)) {
        await rename(shown, hidden)
        visible = false
      }
      await delay(5 + Math.random() * 45)
    }
    await rm(visible ? shown : hidden, { force: true })
    return false
  }

  return {
    async occupy(server) {
      try {
        await claimFolder(folder)
        await listen(server, hidden)
        return await contend()
      } catch (error) {
        throw ioError(error, folder)
      }
    },
    async reach() {
      for (const path of await others()) {
        const result = await tryConnect(path)
        if (typeof result === 'object') return result
      }
      return null
    },
    vacate: () => rm(shown, { force: true }),
  }
}

/** Returns the files that a process listens on and removes the others. */
async function living(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const result = await tryConnect(path)
    if (result === 'dead') await rm(path, { force: true })
    if (result === 'dead' || result === 'absent') continue
    if (typeof result === 'object') result.destroy()
    found.push(path)
  }
  return found
}

/** Other users must not be able to write to the folder: they could remove a live lock. */
async function claimFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (errnoOf(error) !== 'EEXIST') throw ioError(error, folder)
  })
  const found = await lstat(folder)
  if (found.isDirectory() && found.uid === ownUid() && (found.mode & 0o077) === 0) return
  throw new LooperError('ENVIRONMENT_IO', `${folder} must be a folder that only you can use`, {
    hint: `Remove ${folder} and try again.`,
  })
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/**
 * `dead`: no process listens on the file. `unknown`: the connection failed for another reason, so a candidate treats
 * the file as alive.
 */
function tryConnect(path: string): Promise<Socket | 'dead' | 'absent' | 'unknown'> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      socket.on('error', () => {})
      resolve(socket)
    })
    socket.once('error', (error) => {
      const errno = errnoOf(error)
      resolve(errno === 'ECONNREFUSED' ? 'dead' : errno === 'ENOENT' ? 'absent' : 'unknown')
    })
  })
}

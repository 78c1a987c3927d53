/** Finds what a CLI left running, by a mark in the environment: what it starts is in sessions of its own. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

export const markName = 'LOOPER_RECORDING'

/** @type {(mark: string) => Promise<number[]>} */
async function findMarked(mark) {
  const flags = process.platform === 'darwin' ? '-axEww' : 'axeww'
  const { stdout } = await promisify(execFile)('ps', [flags, '-o', 'pid=,command='], { maxBuffer: 64 * 1024 * 1024 })
  return stdout
    .split('\n')
    .filter((line) => line.includes(`${markName}=${mark}`))
    .map((line) => Number.parseInt(line, 10))
}

/**
 * Resolves with how many there were, when none is left; they get a moment to go by themselves.
 * @param {string} mark
 */
export async function endLeftBehind(mark) {
  const found = await findMarked(mark)
  for (let left = found, rounds = 0; left.length > 0; rounds++) {
    await sleep(200)
    left = await findMarked(mark)
    if (rounds < 10) continue
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // Gone since.
      }
    }
  }
  return found.length
}

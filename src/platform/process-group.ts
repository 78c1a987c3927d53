/** Sends signals to the process group of an agent. */
import { readdirSync, readFileSync } from 'node:fs'
import { factsOf } from './process-identity.ts'

/**
 * The leader of a confined group is bubblewrap, which waits outside the sandbox. SIGTERM would end it long before the
 * agent, so signals other than SIGKILL go to the other members. SIGKILL goes to the whole group and ends the sandbox.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  // kill(-1) would signal all processes.
  if (!(pid > 1)) return
  const targets = signal !== 'SIGKILL' && isBubblewrap(pid) ? othersIn(pid) : [-pid]
  for (const target of targets) {
    try {
      process.kill(target, signal)
    } catch {
      // The process is gone.
    }
  }
}

function isBubblewrap(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'bwrap\n'
  } catch {
    return false
  }
}

const othersIn = (group: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== group && factsOf(pid)?.group === group)

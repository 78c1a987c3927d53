/** Signals to everything that an agent started in its process group. */
import { readdirSync, readFileSync } from 'node:fs'
import { factsOf } from './process-identity.ts'

/**
 * The leader of a confined group is bubblewrap, which waits for the sandbox outside of it and would die of a signal
 * that asks for an end, long before the agent. So such a signal goes to the others; SIGKILL goes to all, and ends the
 * sandbox.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  // -1 would mean all processes.
  if (!(pid > 1)) return
  const targets = signal !== 'SIGKILL' && isBubblewrap(pid) ? othersIn(pid) : [-pid]
  for (const target of targets) {
    try {
      process.kill(target, signal)
    } catch {
      // Gone since.
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

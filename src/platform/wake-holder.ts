/** Resumes the suspended process of a run (SIGSTOP, ^Z), because a suspended process handles no command. */
import { join } from 'node:path'
import { readNow } from './files.ts'
import { factsOf, isAlive, type ProcessIdentity } from './process-identity.ts'

/** The pid of the resumed process; null when it is not suspended or cannot be resumed. */
export function wakeHolder(runDir: string): number | null {
  try {
    const text = readNow(join(runDir, 'lock.json'))?.toString('utf8') ?? '{}'
    const { pid, startTime, bootId } = JSON.parse(text) as ProcessIdentity
    if (!isAlive({ pid, startTime, bootId }) || factsOf(pid)?.suspended !== true) return null
    return process.kill(pid, 'SIGCONT') ? pid : null
  } catch {
    return null
  }
}

/** Why Looper runs a check, read off the id of the work. */
import { passIn, readWorkId, waveIn } from '../../model/work-id.ts'

/** One or two words; empty for work that is no check of a run. */
export function checkReason(id: string): string {
  const { owner, steps } = readWorkId(id)
  const has = (name: string): boolean => steps.some((step) => step.name === name)
  if (owner === 'baseline') return 'base'
  if (owner === 'gate') return 'gate'
  if (has('proof')) return 'proof'
  if (has('reverse')) return 'old tests'
  if (waveIn(owner) !== null) return has('bisect') ? 'culprit search' : 'wave'
  if (passIn(owner) !== null) return 'iteration'
  return has('check') || has('trial') ? 'task' : ''
}

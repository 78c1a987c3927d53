/** Answers permission requests: writers may use every tool; readers may read and run commands, but not edit. */
import { isObject, listOf } from '../../json.ts'

export type Outcome = { outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' } }

const changing: readonly unknown[] = ['edit', 'delete', 'move', 'switch_mode']

export const isAllowed = (rights: 'read' | 'write', kind: unknown): boolean =>
  rights === 'write' || !changing.includes(kind)

/** Prefers the options for one use: "always" would change the agent's own settings. */
export function choose(options: unknown, allow: boolean): Outcome {
  const wanted = allow ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  const offered = listOf(options).filter(isObject)
  const found = wanted.flatMap((kind) =>
    offered.filter((option) => option.kind === kind && typeof option.optionId === 'string'),
  )[0]
  return found === undefined ? cancelled : { outcome: { outcome: 'selected', optionId: String(found.optionId) } }
}

export const cancelled: Outcome = { outcome: { outcome: 'cancelled' } }

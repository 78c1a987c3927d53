/** Formats a configuration problem as one line: the source, the key, and a suggestion. */
import { LooperError } from '../model/error.ts'
import { keys } from './keys.ts'
import { nearest } from '../views/text/nearest.ts'
import { quote } from '../platform/quote.ts'
import { pathText } from '../schema/path.ts'
import type { Problem } from '../schema/problems.ts'

/** The source of a value as shown to people: a file, a variable or a flag. */
export interface Origin {
  where: string
  hint?: string
  /** It is a flag, which stands for this key. */
  flagFor?: string
}

export const invalid = (origin: Origin, message: string, details: Record<string, unknown> = {}): LooperError =>
  refusal(origin, `${origin.where}: ${message}`, details)

const refusal = ({ where, hint }: Origin, message: string, details: Record<string, unknown>): LooperError =>
  new LooperError('CONFIG_INVALID', message, { hint, details: { where, ...details } })

export function problemError(origin: Origin, problem: Problem): LooperError {
  const key = pathText(problem.path)
  const suggestion = suggest(problem)
  const details = { key, nearest: suggestion }
  if (problem.kind !== 'type' || origin.flagFor !== key)
    return invalid(origin, message(problem, key) + meant(suggestion), details)
  // For null, flags have the word "none".
  const expected = problem.expected.replace(/, or null$/, ', or "none"')
  return refusal(origin, `${origin.where} ${mustBe({ ...problem, expected })}${meant(suggestion)}`, details)
}

export const meant = (suggestion: string | null): string =>
  suggestion === null ? '' : ` (did you mean ${quote(suggestion)}?)`

function message(problem: Problem, key: string): string {
  switch (problem.kind) {
    case 'type':
      return `${key === '' ? 'the configuration' : quote(key)} ${mustBe(problem)}`
    case 'missing':
      return `${quote(key)} is missing`
    case 'name':
      return `the key ${quote(key)} must end in ${problem.noun}`
    case 'secretName':
      return `${quote(key)} has a key that is not ${problem.noun}`
    case 'unknown': {
      const valid = suggest(problem) === null ? `; valid here: ${problem.siblings.join(', ')}` : ''
      return `unknown key ${quote(key)}${valid}`
    }
  }
}

const mustBe = ({ expected, actual, secret }: Extract<Problem, { kind: 'type' }>): string =>
  `must be ${expected}, not ${secret ? kindOf(actual) : quote(actual)}`

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      return 'this text (not shown)'
    case 'object':
      return 'an object'
    default:
      return `a ${typeof value}`
  }
}

function suggest(problem: Problem): string | null {
  if (problem.kind === 'type')
    return typeof problem.actual === 'string' ? nearest(problem.actual, problem.choices) : null
  if (problem.kind !== 'unknown') return null
  const name = String(problem.path.at(-1))
  const sibling = nearest(name, problem.siblings)
  return sibling === null ? keyEndingIn(name) : pathText([...problem.path.slice(0, -1), sibling])
}

/** Finds a key whose last part is nearly that name: people write `timeMinutes` and forget the `limits` around it. */
export function keyEndingIn(name: string): string | null {
  const last = nearest(
    name,
    keys.map(({ path }) => path.at(-1) ?? ''),
  )
  return keys.find(({ path }) => path.at(-1) === last)?.name ?? null
}

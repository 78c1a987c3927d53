/** Turns the arguments that were read into what a command gets, and refuses what it does not take. */
import { LooperError } from '../../api/error.ts'
import type { Argument } from './argument.ts'
import type { Definition } from './definition.ts'
import { helpOption } from './global-options.ts'
import { isNegated, type Option } from './option.ts'
import type { Given, Reading } from './read-arguments.ts'
import { meantOptions } from './meant-options.ts'
import { similarOptions } from './similar-options.ts'

export interface Parsed {
  args: readonly string[]
  /** By key: a text, a list of texts, or true or false. */
  options: Readonly<Record<string, unknown>>
}

/** Null when help is asked for. Throws USAGE_ARGUMENTS. */
export function parse(definition: Definition, reading: Reading<Option>): Parsed | null {
  const { given, words, unknown, open, isMissing } = reading
  if (open !== null && isMissing) throw refusal(`option '${open.flags}' argument missing`)
  if (given.some(({ flag }) => flag === helpOption)) return null
  refuseOptions(definition.options, given)
  if (unknown[0] !== undefined) throw unknownOption(definition, unknown[0])
  refuseWords(definition, words)
  return { args: words, options: valuesOf(given) }
}

function valuesOf(given: readonly Given<Option>[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { flag, value } of given) {
    const before = values[flag.key]
    if (value === null) values[flag.key] = !isNegated(flag)
    else if (flag.list || flag.takes === 'several') values[flag.key] = [...(Array.isArray(before) ? before : []), value]
    else values[flag.key] = value
  }
  return values
}

function refuseOptions(options: readonly Option[], given: readonly Given<Option>[]): void {
  /** The last one counts where several options have the same key. */
  const byKey = new Map(given.map(({ flag }) => [flag.key, flag]))
  for (const { key, flags, required } of options)
    if (required && !byKey.has(key)) throw refusal(`required option '${flags}' not specified`)
  for (const { key, conflicts = '' } of options) {
    const [one, other] = [byKey.get(key), byKey.get(conflicts)]
    if (one !== undefined && other !== undefined)
      throw refusal(`option '${one.flags}' cannot be used with option '${other.flags}'`)
  }
}

function unknownOption({ options }: Definition, word: string): LooperError {
  const meant = meantOptions(word, options)
  const similar = meant.length > 0 ? meant : similarOptions(word, options)
  const [first] = similar
  if (first === undefined) return refusal(`unknown option '${word}'`)
  const named = similar.length === 1 ? first : `one of ${similar.join(', ')}`
  return refusal(`unknown option '${word}'`, `Did you mean ${named}?`)
}

function refuseWords({ name, arguments: expected }: Definition, words: readonly string[]): void {
  const missing = expected.find(({ isRequired }, index) => isRequired && words[index] === undefined)
  if (missing !== undefined) throw refusal(`missing required argument '${missing.name}'`)
  if (words.length <= expected.length || takesAll(expected)) return
  const count = `${expected.length} argument${expected.length === 1 ? '' : 's'}`
  throw refusal(
    `too many arguments. Expected ${count} but got ${words.length}.`,
    name === 'run' ? 'Put the goal in quotes: looper "what you want".' : undefined,
  )
}

const takesAll = (expected: readonly Argument[]): boolean => expected.at(-1)?.repeats === true

/** Without a hint of its own, an error names the help of the command. */
const refusal = (message: string, hint?: string): LooperError => new LooperError('USAGE_ARGUMENTS', message, { hint })

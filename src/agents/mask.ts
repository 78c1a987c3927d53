/** Replaces the values of secret variables in everything that is stored, shown, sent or landed. */
import { spellingsOf } from './secret-spellings.ts'
import { secretValues, type Variables } from './secret-values.ts'
import { createFinder, type Finder, type Sought } from './value-finder.ts'

export interface Mask {
  (text: string): string
  /** Every spelling of every secret. */
  readonly secrets: readonly Sought[]
  readonly finder: Finder
}

/**
 * Masks the named variables, variables whose names suggest a secret, and credentials inside any value. Several
 * environments may have a variable of the same name: each of its values is masked.
 */
export function createMask(environments: Variables | readonly Variables[], names: readonly string[]): Mask {
  const all = isList(environments) ? environments : [environments]
  const byText = new Map<string, Sought>()
  for (const { name, value } of all.flatMap((variables) => secretValues(variables, names))) {
    for (const { text, wraps } of spellingsOf(value)) {
      if (!byText.has(text)) byText.set(text, { name, value: text, wraps })
    }
  }
  const secrets = [...byText.values()]
  const finder = createFinder(secrets)
  return Object.assign((text: string) => replaceFound(text, finder), { secrets, finder })
}

const finders = new WeakMap<readonly Sought[], Finder>()

/** Finds secrets in bytes read as latin1, where every byte is one character. Built once for the secrets of a run. */
export function bytesFinder(secrets: readonly Sought[]): Finder {
  const finder =
    finders.get(secrets)
    ?? createFinder(secrets.map((each) => ({ ...each, value: Buffer.from(each.value).toString('latin1') })))
  finders.set(secrets, finder)
  return finder
}

/** The same bytes with the secrets replaced. */
export function maskBytes(bytes: Buffer, { secrets }: Mask): Buffer {
  return Buffer.from(replaceFound(bytes.toString('latin1'), bytesFinder(secrets)), 'latin1')
}

function replaceFound(text: string, finder: Finder): string {
  let clean = ''
  let done = 0
  for (let found = finder.next(text, 0); found !== null; found = finder.next(text, done)) {
    clean += `${text.slice(done, found.start)}[${found.name}]`
    done = found.end
  }
  return done === 0 ? text : clean + text.slice(done)
}

const isList = (environments: Variables | readonly Variables[]): environments is readonly Variables[] =>
  Array.isArray(environments)

/** The same value with every string in it masked, keys too. Depth is bounded by the validation of results. */
export function maskDeep<T>(value: T, mask: Mask): T
export function maskDeep(value: unknown, mask: Mask): unknown {
  if (mask.secrets.length === 0) return value
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item) => maskDeep<unknown>(item, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskDeep<unknown>(item, mask)]))
}

/** Replaces the values of secret variables in everything that is shown or kept. */

export interface Secret {
  name: string
  value: string
}

export interface Mask {
  (text: string): string
  /** Longest first, so that a secret inside another does not break it up. */
  readonly secrets: readonly Secret[]
}

/** Shorter values would shred ordinary text. */
const minLength = 6
const telling = /(?:^|_)(?:\w*KEY|\w*TOKEN|\w*SECRET|\w*PASSW(?:OR)?D|PASSPHRASE|CREDENTIALS?|PAT)$|SECRET|PASSWORD/i

/** Masks the variables of `env` that are named, and those whose own name says what they are. */
export function createMask(env: Readonly<Record<string, string | undefined>>, names: readonly string[]): Mask {
  const secrets: Secret[] = []
  for (const name of new Set([...names, ...Object.keys(env).filter((key) => telling.test(key))])) {
    const value = env[name]
    if (value === undefined || value.trim().length < minLength) continue
    for (const spelling of new Set([value, value.trim(), JSON.stringify(value).slice(1, -1)])) secrets.push({ name, value: spelling })
  }
  secrets.sort((a, b) => b.value.length - a.value.length)
  const byValue = new Map(secrets.toReversed().map(({ name, value }) => [value, `[${name}]`]))
  const pattern = new RegExp(secrets.map(({ value }) => escape(value)).join('|'), 'g')
  const mask = (text: string): string => secrets.length === 0 ? text : text.replace(pattern, (value) => byValue.get(value) ?? '')
  return Object.assign(mask, { secrets })
}

/** The same value with every string in it masked, keys too. Depth is bounded by the validation of results. */
export function maskDeep(value: unknown, mask: Mask): unknown {
  if (mask.secrets.length === 0) return value
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskDeep(item, mask)]))
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

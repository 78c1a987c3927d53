/** The keys of a script and the values that they may have. Each check returns the problem of a value, or null. */

const text = (value) => (typeof value === 'string' ? null : 'must be text')
export const count = (value) => (Number.isInteger(value) && value > 0 ? null : 'must be a whole number above 0')
const amount = (value) => (typeof value === 'number' && value >= 0 ? null : 'must be a number, 0 or more')
const anything = () => null
const object = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be a map'
const textOrTrue = (value) => (value === true || typeof value === 'string' ? null : 'must be text or true')

/** A map with exactly these keys; keys that end in `?` are optional. */
const shape = (keys) => (value) => {
  if (object(value) !== null) return `must be a map with ${Object.keys(keys).join(', ')}`
  for (const [key, check] of Object.entries(keys)) {
    const name = key.replace('?', '')
    const problem = value[name] === undefined && key.endsWith('?') ? null : check(value[name])
    if (problem !== null) return `${name} ${problem}`
  }
  const stray = Object.keys(value).find((key) => !(key in keys) && !(`${key}?` in keys))
  return stray === undefined ? null : `has no key "${stray}"`
}

export const matchKeys = { role: text, purpose: text, task: text, attempt: count, nth: count, prompt: text }

export const steps = {
  write: shape({ path: text, content: text }),
  append: shape({ path: text, content: text }),
  replace: shape({ path: text, find: text, with: text }),
  delete: text,
  run: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
      ? null
      : 'must be a list of words: the program and its arguments',
  sleep: amount,
  message: text,
  tool_use: shape({ name: text, 'input?': anything }),
  usage: shape({ 'inputTokens?': amount, 'outputTokens?': amount, 'costUsd?': amount }),
  error: shape({ kind: text, 'message?': text, 'resetsAt?': text }),
  session: text,
  garbage: textOrTrue,
  flood: amount,
  hang: (value) =>
    value === true || value === 'stubborn' ? null : 'must be true, or "stubborn" to ignore SIGINT and SIGTERM',
  background: amount,
  exit: (value) => (Number.isInteger(value) && value >= 0 && value <= 255 ? null : 'must be an exit code'),
  signal: (value) => (typeof value === 'string' && /^SIG[A-Z]+$/.test(value) ? null : 'must be the name of a signal'),
  result: anything,
}

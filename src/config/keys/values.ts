/** Types of values that several keys share. */
import { anyText, list, positive, record, secret, text, textLike } from '../../schema/spec.ts'

/** One week: much longer timers overflow. */
export const minutes = positive(7 * 24 * 60)
export const seconds = positive(7 * 24 * 60 * 60)
export const variable = textLike('the name of a variable', /^[^\0=\s]+$/)
export const outside = textLike('an absolute path, or one that starts with ~/', /^(?:\/|~\/)[^\0]+$/)
export const inside = textLike('a path inside the repository', /^(?!\/)(?!(?:[^\0]*\/)?\.\.(?:\/|$))[^\0]+$/)
export const address = textLike('an http or https address', /^https?:\/\/[^\s\0]+$/)
export const label = textLike(
  'one line of at most 80 characters',
  /^(?=.*\S)(?!__proto__$)[^\p{Cc}\u2028\u2029]{1,80}$/u,
)

export const variables = record(secret(anyText), /^[^\0=]+$/, 'the name of a variable', { verbatim: true })

export const commands = list(text)

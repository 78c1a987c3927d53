/** Splits a text into clauses and marks those that say that something must not be done. */

export interface Clause {
  clause: string
  /** Whether the heading above its list denies it. */
  denied: boolean
}

/** Words before an order that turn it into a prohibition or a condition. */
export const denying = new RegExp(
  '\\b(?:not|never|no|without|avoid\\w*|cannot|neither|nor|none|nobody|nothing|keep\\w*|preserv\\w*|'
    + 'prevent\\w*|forbid\\w*|forbidden|prohibit\\w*|refus\\w*|stop\\w*|disallow\\w*|refrain\\w*|'
    + "instead of|rather than|unless|if|when|whenever|unable|lest|out of scope|non-?goals?|against)\\b|n['\u2019]t\\b",
  'i',
)

/** Bounds the input: real instructions are shorter, and the patterns are slow on long text. */
const longest = 20_000
const longestLine = 2_000

/** Splits at sentence ends and before "but". The items of a list are denied when its heading denies. */
export function clausesOf(text: string): Clause[] {
  let denied = false
  return text
    .slice(0, longest)
    .split('\n')
    .flatMap((raw) => {
      const line = raw.slice(0, longestLine)
      const plain = line.replace(/^[\s>*+-]*(?:\d+[.)]\s+)?(?:\[[ x]\]\s*)?/i, '').trim()
      const item = /^\s*(?:[*+-]|\d+[.)])\s/.test(line)
      const heading = /^\s*#/.test(line) || /[:：]\s*\**$/.test(plain) || /^\*\*[^*]+\*\*$/.test(line.trim())
      if (heading) denied = denying.test(plain)
      else if (plain !== '' && !item) denied = false
      return plain.split(/[.!?;](?=\s|$)|\b(?:but|instead,)\s/i).map((clause) => ({ clause: clause.trim(), denied }))
    })
}

/** What somebody's words say, clause by clause, and how they say that something is not to be done. */

export interface Clause {
  clause: string
  /** By the heading of its list. */
  denied: boolean
}

/** Before what somebody is to do: it is not to be done, or only perhaps. */
export const denying = new RegExp(
  '\\b(?:not|never|no|without|avoid\\w*|cannot|neither|nor|none|nobody|nothing|keep\\w*|preserv\\w*|'
    + 'prevent\\w*|forbid\\w*|forbidden|prohibit\\w*|refus\\w*|stop\\w*|disallow\\w*|refrain\\w*|instead of|rather than|'
    + "unless|if|when|whenever|unable|lest|out of scope|non-?goals?|against)\\b|n['\u2019]t\\b",
  'i',
)

/** Nobody means more, and patterns are slow on what nobody means. */
const longest = 20_000
const longestLine = 2_000

/** Sentences, and what comes after "but". A list stands under what its heading says. */
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

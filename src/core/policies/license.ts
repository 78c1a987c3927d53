/** Whether a text orders something: a verb in the form of an order, with its own object. In doubt it does not. */
import { clausesOf, denying } from './clauses.ts'

export type Asked = (text: string) => boolean

/** Words that end a phrase: the words after them are not the object of the verb. */
const ends =
  'and|or|but|with|without|so|then|before|after|while|when|where|if|that|which|who|whose|in|on|at|of|for|from|to|into|'
  + 'by|via|per|through|during|until|than|as|because|since|under|is|are|was|were|be|been|has|have|not|no|none|zero|'
  + 'nothing|never|only|nor|unless|except'
const adjective =
  'unit|integration|e2e|end-to-end|old|obsolete|legacy|flaky|redundant|duplicate|duplicated|slow|failing|broken|'
  + 'skipped|outdated|stale|dead|unused'
const word =
  `(?:(?:${adjective}) (?:and|or) (?:${adjective})|(?:all|any|most|some|both) of|`
  + `(?!(?:${ends})\\b)[\\w'\u2019\`"/.@#+-]+)`
/** "... and its tests": what belongs to the first object is also an object of the verb. */
const owned = '(?:all\\s+|any\\s+)?(?:of\\s+)?(?:its|their)'
const objectEnd = 'and|or|from|in|of|for|with|too|as well|that|which|files?|cases?|suites?|now|entirely|completely'
const ending = new RegExp(`^\\W*(?:$|(?:${objectEnd})\\b)|^\\s*[,;:(]`, 'i')
const joins = '\\s*,\\s*(?:and\\s+)?|\\s+and\\s+|\\s+(?:together|along)\\s+with\\s+'
const joined = `((?:(?:${joins})${owned}(?:\\s+${word}){0,3}?){0,3})`
/** Follows a noun that stands alone and is not a part of another one, as in "the test database". */
const follows =
  `(?=\\s*(?:$|[,;:.!?()"'\`\u2018\u201C])|\\s+(?:${ends}|files?|cases?|suites?|specs?|code|folders?|job|jobs|steps?|`
  + 'setup|matrix|config|configuration|rules?|too|entirely|completely|altogether|now|again|about|called|named)\\b)'

/** An order starts its clause or continues one, or the text permits the agent to do something ("you may ..."). */
const permitted =
  '(?:you|we|the (?:task|change|agent|coder))\\s+'
  + '(?:may|can|should|must|shall|will|need to|have to|are to|are (?:free|allowed) to)'
const starts =
  `(?:^|[,:(\u2013\u2014]|\\b(?:and|then|or|also|please|to do so|${permitted}|`
  + '(?:free|allowed|asked|safe|okay|ok|need|needs|have|has) to|(?:goal|task|aim|idea|plan) is to))\\s*'
  + '(?:(?:also|then|please|simply|just|finally|first|safely)\\s+)*'

const denyingLater = new RegExp(
  '\\bunder no\\b|\\b(?:not|never)\\s+(?:be\\s+)?(?:\\w+ly\\s+)?(?:allowed|acceptable|permitted|'
    + 'ok|okay|fine|an option|done|happen)\\b|\\b(?:forbidden|prohibited|disallowed|out of scope)\\b|\\bnever\\b',
  'i',
)
/** A finite verb: `Removing tests is ...` is a statement, not an order. */
const finite =
  /\b(?:is|are|was|were|must|should|will|would|can|cannot|may|might|counts?|fails?|breaks?|makes?|leads?|means?)\b/i

/** `verbs` are stems with their endings, as in `remov(?:e|es|ing)`; `nouns` are the objects of the verb. */
export function asks(verbs: string, nouns: string, others = verbs): Asked {
  const both = `(?:\\s*(?:,|\\/|\\band\\b|\\bor\\b)\\s*(?:${others}))*`
  const order = new RegExp(
    `(${starts})((?:\\w+(?:\\s*,\\s*|\\s+(?:and|or)\\s+))?(?:${verbs}))${both}(?:\\s+${word}){0,5}?`
      + `${joined}\\s+["'\`]?(?:(?:${nouns})s|(?:${nouns})${follows})(?![\\w-])`,
    'gi',
  )
  return (text) => clausesOf(text).some(({ clause, denied }) => !denied && isOrdered(clause, order))
}

const changed = '(?:commits?|changes?|patch(?:es)?|features?|PRs?|pull requests?|merges?|[0-9a-f]{7,40})\\b'
/** `Revert "Add x"`, `Revert commit 1234567`, `Undo the last change`; not "revert it to 3", which sets a value. */
const revert = new RegExp(
  '^\\W*(?:\\w+(?:\\([^)]*\\))?!?:\\s*)?(?:please\\s+)?(?:revert|undo|back out|roll back):?\\s+'
    + `(?:["\u201C\`#]|(?:[\\w'-]+\\s+){0,6}?${changed})`,
  'i',
)

/** Whether the text asks to revert an earlier change. */
export const asksForRevert: Asked = (text) =>
  clausesOf(text).some(({ clause, denied }) => !denied && revert.test(clause))

function isOrdered(clause: string, order: RegExp): boolean {
  for (const match of clause.matchAll(order)) {
    const [before, after] = [clause.slice(0, match.index), clause.slice(match.index + match[0].length)]
    const lead = match[1]?.replace(/^\W*/, '') ?? ''
    if (denying.test(`${before} ${lead}`) || denyingLater.test(after)) continue
    // `... and its tests stay green` is a statement about the tests, not an order.
    if (match[3] !== '' && !ending.test(after)) continue
    const gerund = /ing$/i.test(match[2] ?? '')
    if (!gerund || (match.index === 0 && !finite.test(after) && !denying.test(after.replace(/no longer/g, ''))))
      return true
  }
  return false
}

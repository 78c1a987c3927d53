/**
 * Whether a text asks for a check to become green: the check itself must be the thing to repair, not something else in
 * the sentence.
 */
import { commandLine } from '../../model/work.ts'
import type { PlannedCheck } from './checks.ts'
import { clausesOf, denying } from './clauses.ts'

/** A pattern that matches one of the words in these lines. */
const oneOf = (...words: string[]): string => `(?:${words.join(' ').split(' ').join('|')})`

const repair = oneOf(
  'fix(?:es|ed|ing)? repair(?:s|ed|ing)? mend(?:s|ed|ing)? unbreak heal(?:s|ing)?',
  'resolv(?:e[sd]?|ing) solv(?:e[sd]?|ing)',
  'correct(?:s|ed|ing)? debug stabili[sz](?:e|ing) restor(?:e[sd]?|ing) rescue unblock revive',
)
/** Verbs that mean a repair only when their object is called broken. */
const tackle = oneOf(
  'deal(?:ing)? sort(?:ing)? tackl(?:e|ing) handl(?:e|ing) address(?:ing)? investigat(?:e|ing)',
  'look(?:ing)? work(?:ing)? turn(?:ing)? care rid see',
)
const broken = oneOf('failing failed red broken breaking flaky remaining')
const leading = oneOf('the all any its our these those every of on to with out into in my', broken)
/** Words that start a new clause. */
const breaks = oneOf(
  'and or but with without so then by because while that which when whenever if to for from before after during',
  'via using under into as through until unless once \\|',
)
/** Words after which the noun phrase is complete, so that "test" does not match in "test helper". */
const follows = oneOf(
  'in of on for from at under after before again so and or but that which to with without by now please first',
  "is are was were be must should shall need needs do does don't doesn't can will has have via using when if until",
  'as back down up too all still currently locally everywhere completely today since keeps went not green red',
  'pass passes passing passed succeed succeeds succeeding work works working clean',
  'fail fails failing failed broken fixed',
)
const ends = `(?= ${follows}\\b| \\||$)`
const between = oneOf(
  'must should shall need needs have has had to be is are was were become turn stay all again do does will can',
  'back now still currently always both keep keeps went fully completely',
)
const good = oneOf('green pass passes passing succeed succeeds succeeding fixed repaired healthy')
/** Words for a good state that count only in a request: "works" and "clean" also occur in plain statements. */
const wanted = oneOf('work works working run clean normal')
const bad = oneOf('red failing fail fails failed broken breaks crash crashes crashing')
const denial = "(?:do not|does not|don't|doesn't|won't|will not|cannot|can't|are not|is not|isn't|aren't|not|no longer)"
const asking = new RegExp(
  `\\b${oneOf('until make making get getting bring bringing ensure sure must should need needs have want')}\\b`,
)
const staying = new RegExp(`\\b${oneOf('stay still keep keeps always')}\\b`)
const returning = new RegExp(`\\b${oneOf('again back become turn')}\\b`)
const nothingElse = new RegExp(
  `^(?: |(?:${leading}|${oneOf('make get ensure sure that please we you must should keep')}) )*$`,
)
/** A text that explains how to repair something does not ask for the repair. */
const explanation = oneOf('how ways? guides? instructions? docs documentation')
const explaining = new RegExp(`\\b${explanation} (?:to|for|on|about|we|you|one)\\b(?:(?! and ).){0,80}$`)
/** "Tell me when it fails" does not report a failure. */
const conditional = new RegExp(
  `\\b${oneOf('when whenever if once whether unless case which how what why after only')}\\b`,
)
const causing = new RegExp(`\\b${oneOf('make makes let lets ensure have cause causes should must that')}\\b`)

/** A cheap filter: most texts do not mention a repair, and many texts are tested. */
const isAbout = new RegExp(`\\b(?:${[repair, tackle, broken, good, wanted, bad].join('|')})\\b`)

/** Returns a test for texts that ask for this check to become green. */
export function repairRequest(check: Pick<PlannedCheck, 'name' | 'run'>): (text: string) => boolean {
  const target = targetOf(check)
  const coordinated = '(?:(?: and| or)(?: (?:the|all))* [\\w-]+)?'
  const orders = new RegExp(
    [
      `\\b${repair}(?: for)?(?: (?!${breaks}(?: |$))[\\w'/.-]+){0,6}?(?: and)?(?: ${leading})* ${target}${ends}`,
      `\\b${tackle}(?: [\\w-]+){0,3}? ${broken} (?:[\\w-]+ ){0,2}?${target}${ends}`,
      `(?:^|(?<=\\| ))(?:${leading} )*${broken} ${target}${ends}`,
      '\\b(?:back|get|getting) to green\\b',
    ].join('|'),
    'g',
  )
  const stating = (state: string): RegExp =>
    new RegExp(`(?:^| )${target}${coordinated}(?: ${between}){0,4} ${state}${ends}`, 'g')
  const [isGood, isWanted, isBad, isNotGood] = [good, wanted, bad, `${denial} (?:be )?(?:${good}|${wanted})`].map(
    stating,
  )
  const isNamed = new RegExp(`${target}|green`)
  return (text) => {
    const clauses = clausesOf(text).map(({ clause, denied }) => ({ plain: plainly(clause), denied }))
    const isAlone = clauses.flatMap(({ plain }) => plain.split('|')).filter((part) => part.trim() !== '').length === 1
    return clauses.some(({ plain, denied }) => {
      if (denied || !isNamed.test(plain) || !isAbout.test(plain)) return false
      const says = (state: RegExp | undefined, accept: (one: Said) => boolean): boolean =>
        state !== undefined
        && saidOf(plain, state).some(
          (one) => !conditional.test(one.before) && !isDenied(one.before.replace(/^ ?keep\b/, '')) && accept(one),
        )
      const isBroughtAbout = (one: Said): boolean => isNew(one) || (isAlone && nothingElse.test(`${one.before} `))
      return (
        saidOf(plain, orders).some(isOrder)
        || says(isGood, isBroughtAbout)
        || says(isNotGood, () => true)
        || says(isWanted, (one) => asking.test(one.before + one.said) && isBroughtAbout(one))
        || says(isBad, ({ before, said }) => !causing.test(before + said))
      )
    })
  }
}

/**
 * Lower case, with a bar between parts. The colon after a denial is dropped, so that the denial covers the words after
 * it.
 */
const plainly = (clause: string): string =>
  clause
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/["`*_()[\]{}]|'(?!\w)|(?<!\w)'/g, ' ')
    .replace(/(\b(?:not|never|avoid|scope|goals?)|n't):/g, '$1')
    .replace(/[.,:]+(?=\s|$)| [-–—]+ /g, ' | ')
    .replace(/\s+/g, ' ')
    .trim()

interface Said {
  earlier: string
  before: string
  said: string
  after: string
}

/** Each match of a pattern, with the text before and after it in its part. */
const saidOf = (plain: string, pattern: RegExp): Said[] =>
  [...plain.matchAll(pattern)].map((match) => {
    const [front, back] = [plain.slice(0, match.index), plain.slice(match.index + match[0].length)]
    const at = front.lastIndexOf('|') + 1
    return { earlier: front.slice(0, at), before: front.slice(at), said: match[0], after: back.replace(/\|.*$/, '') }
  })

/**
 * "The tests must pass" or "stay green" beside another order is a condition of that order, not a request to repair
 * them.
 */
const isNew = ({ before, said, after }: Said): boolean =>
  !staying.test(said) && (asking.test(before) || returning.test(said) || /^ again\b/.test(after))

/** A denial covers only the words up to the next conjunction. */
const isDenied = (before: string): boolean =>
  denying.test(before.replace(/^.*\b(?:and|then|until|because|so|while)\b/, ''))

/**
 * No orders: "Do not add, remove or fix tests", "document how to fix the tests", "fixing the tests is out of scope".
 */
function isOrder({ earlier, before, said, after }: Said): boolean {
  if (isDenied(before) || (/\b(?:or|nor) $/.test(before) && denying.test(earlier)) || explaining.test(before))
    return false
  return !/^\w+ing\b/.test(said) || !denying.test(after.replace(/^ (?:that|which)\b.*/, ''))
}

/** Names of kinds of checks, in commands and in sentences. */
const kinds = new RegExp(
  `^${oneOf(
    'tests? testing unit e2e integration acceptance smoke specs? lint(?:er|ing)? eslint oxlint types? typecheck tsc',
    'build compile format prettier biome clippy coverage docs pytest jest vitest mocha rspec',
  )}$`,
)
const isOfTests = /test|spec|unit|e2e|integration|acceptance|smoke|jest|mocha|coverage/
const isOther = /lint|type|tsc|build|compile|format|prettier|biome|clippy|docs/
/** Words of commands that do not say what is checked. */
const everyday = new Set('npm pnpm yarn bun npx run node python make the exec cargo and all check'.split(' '))

/**
 * A pattern for the nouns that mean the check: its name, the tool in its command, or its kind (tests, build,
 * everything).
 */
function targetOf({ name, run }: Pick<PlannedCheck, 'name' | 'run'>): string {
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? []
  const own = words(name).length <= 2 ? words(name) : []
  const named = words(`${name} ${commandLine(run)}`).filter((word) => kinds.test(word))
  const about = new Set(
    [...own, ...named].filter((word) => !everyday.has(word)).map((word) => word.replace(/(?:ing|s)$/, '')),
  )
  const all = [...about].join(' ')
  const tests = isOfTests.test(all) || !isOther.test(all) ? ['tests?', 'testing', 'suites?', 'specs'] : []
  const nouns = [
    ...[...about].map((word) => `${word}(?:s|ing|er)?`),
    ...tests,
    'builds?',
    'ci',
    'everything',
    'it all',
    `(?<=\\b${leading} )(?:checks?|failures)`,
  ]
  const trouble = oneOf(
    'suites? checks? jobs? runs? cases? errors? failures? problems? issues? warnings? violations? breakages?',
    'regressions? tests? pipelines? builds?',
  )
  return `(?:${nouns.join('|')})(?: ${trouble}){0,4}`
}

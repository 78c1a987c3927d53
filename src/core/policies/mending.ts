/** Whether somebody's words ask for a check to become green: what is to be mended is the check, not something else in the sentence. */
import type { PlannedCheck } from './checks.ts'

/** One of the words in these lines. */
const oneOf = (...words: string[]): string => `(?:${words.join(' ').split(' ').join('|')})`

const mend = oneOf(
  'fix(?:es|ed|ing)? repair(?:s|ed|ing)? mend(?:s|ed|ing)? unbreak heal(?:s|ing)? resolv(?:e[sd]?|ing) solv(?:e[sd]?|ing)',
  'correct(?:s|ed|ing)? debug stabili[sz](?:e|ing) restor(?:e[sd]?|ing) rescue unblock revive',
)
/** What is done to that which is known as broken. */
const tackle = oneOf(
  'deal(?:ing)? sort(?:ing)? tackl(?:e|ing) handl(?:e|ing) address(?:ing)? investigat(?:e|ing) look(?:ing)? work(?:ing)? turn(?:ing)?',
  'care rid see',
)
const broken = oneOf('failing failed red broken breaking flaky remaining')
const leading = oneOf('the all any its our these those every of on to with out into in my', broken)
/** Here another thing begins. */
const breaks = oneOf(
  'and or but with without so then by because while that which when whenever if to for from before after during via using under into as',
  'through until unless once \\|',
)
/** After it, what was named is named completely: no "test" of a "test helper". */
const follows = oneOf(
  'in of on for from at under after before again so and or but that which to with without by now please first is are was were be must',
  'should shall need needs do does don\'t doesn\'t can will has have via using when if until as back down up too all still currently',
  'locally everywhere completely today since keeps went not green red pass passes passing passed succeed succeeds succeeding work works',
  'working clean fail fails failing failed broken fixed',
)
const ends = `(?= ${follows}\\b| \\||$)`
const between = oneOf(
  'must should shall need needs have has had to be is are was were become turn stay all again do does will can back now still currently',
  'always both keep keeps went fully completely',
)
const good = oneOf('green pass passes passing succeed succeeds succeeding fixed repaired healthy')
/** Good, where somebody asks for it: what "works" or is "clean" may as well be told. */
const wanted = oneOf('work works working run clean normal')
const bad = oneOf('red failing fail fails failed broken breaks crash crashes crashing')
const denial = '(?:do not|does not|don\'t|doesn\'t|won\'t|will not|cannot|can\'t|are not|is not|isn\'t|aren\'t|not|no longer)'
const asking = new RegExp(`\\b${oneOf('make making get getting bring bringing ensure sure must should need needs have want')}\\b`)
/** "Tell me when it fails" is not about a failure. */
const conditional = new RegExp(`\\b${oneOf('when whenever if once whether unless case which how what why after only')}\\b`)
const causing = new RegExp(`\\b${oneOf('make makes let lets ensure have cause causes should must that')}\\b`)

/** Most texts say nothing of the kind, and there are many. */
const isAbout = new RegExp(`\\b(?:${[mend, tackle, broken, good, wanted, bad].join('|')})\\b`)

/** Does this text ask for that check to become green? */
export function meansToMend(text: string, check: Pick<PlannedCheck, 'name' | 'run'>): boolean {
  const plain = text.toLowerCase().replace(/[’]/g, '\'').replace(/["`*_()[\]{}]|'(?!\w)|(?<!\w)'/g, ' ')
    .replace(/[.,;:!?]+(?=\s|$)|\n| [-–—]+ /g, ' | ').replace(/\s+/g, ' ').trim()
  if (!isAbout.test(plain)) return false
  const target = targetOf(check)
  const coordinated = '(?:(?: and| or)(?: (?:the|all))* [\\w-]+)?'
  const isAsked = new RegExp([
    `\\b${mend}(?: for)?(?: (?!${breaks}(?: |$))[\\w'/.-]+){0,6}?(?: and)?(?: ${leading})* ${target}${ends}`,
    `\\b${tackle}(?: [\\w-]+){0,3}? ${broken} (?:[\\w-]+ ){0,2}?${target}${ends}`,
    `(?:^|\\| )(?:${leading} )*${broken} ${target}${ends}`,
    '\\b(?:back|get|getting) to green\\b',
  ].join('|'))
  const before = (match: RegExpMatchArray): string => plain.slice(0, match.index).replace(/^.*\|/, '')
  const says = (state: string, accept: (clause: string) => boolean): boolean =>
    [...plain.matchAll(new RegExp(`(?:^| )${target}${coordinated}(?: ${between}){0,4} ${state}${ends}`, 'g'))]
      .some((match) => !conditional.test(before(match)) && accept(before(match) + match[0]))
  return isAsked.test(plain) || says(good, () => true) || says(wanted, (clause) => asking.test(clause))
    || says(bad, (clause) => !causing.test(clause)) || says(`${denial} (?:be )?(?:${good}|${wanted})`, () => true)
}

/** What kinds of checks are called, in commands and in sentences. */
const kinds = new RegExp(`^${oneOf(
  'tests? testing unit e2e integration acceptance smoke specs? lint(?:er|ing)? eslint oxlint types? typecheck tsc build compile format',
  'prettier biome clippy coverage docs pytest jest vitest mocha rspec',
)}$`)
const isOfTests = /test|spec|unit|e2e|integration|acceptance|smoke|jest|mocha|coverage/
const isOther = /lint|type|tsc|build|compile|format|prettier|biome|clippy|docs/
/** Words of commands that say nothing about what is checked. */
const everyday = new Set('npm pnpm yarn bun npx run node python make the exec cargo and all check'.split(' '))

/** The check by its name, by what its command is called, by what it is: the tests, the build, the whole. */
function targetOf({ name, run }: Pick<PlannedCheck, 'name' | 'run'>): string {
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? []
  const own = words(name).length <= 2 ? words(name) : []
  const named = words(`${name} ${'shell' in run ? run.shell : run.argv.join(' ')}`).filter((word) => kinds.test(word))
  const about = new Set([...own, ...named].filter((word) => !everyday.has(word)).map((word) => word.replace(/(?:ing|s)$/, '')))
  const all = [...about].join(' ')
  const tests = isOfTests.test(all) || !isOther.test(all) ? ['tests?', 'testing', 'suites?', 'specs'] : []
  const nouns = [...[...about].map((word) => `${word}(?:s|ing|er)?`), ...tests, 'builds?', 'ci', 'everything', 'it all',
    `(?<=\\b${leading} )(?:checks?|failures)`]
  const trouble = oneOf(
    'suites? checks? jobs? runs? cases? errors? failures? problems? issues? warnings? violations? breakages? regressions? tests?',
    'pipelines? builds?',
  )
  return `(?:${nouns.join('|')})(?: ${trouble})*`
}

/** Whether a task asked for what the tamper guard found. A test may go when somebody said so, never because it was in the way. */
import type { TamperFinding, TamperKind } from '../../model/tamper.ts'
import type { TaskState } from '../../model/state.ts'

/** Who says before the verb, in the same sentence, that it is not to be done, asks for nothing. */
const unless = "(?<!\\b(?:not|never|nor|without|avoid|(?:do|must|should|ca)n['\u2019]?t)\\b[^.;!?\\n]{0,80})"

/** A verb and, soon after it, what it is done to: whole words, in one breath. */
const asks = (verbs: string, nouns: string): RegExp =>
  new RegExp(`${unless}\\b(?:${verbs})(?:\\s+(?!(?:and|or|but|with|without|so|then)\\b)[\\w'\u2019/.-]+){0,4}?\\s+(?:${nouns})\\b`, 'i')

const removing = 'remov(?:e[sd]?|ing|al of)|delet(?:e[sd]?|ing)|drop(?:s|ped|ping)?|retir(?:e[sd]?|ing)|replac(?:e[sd]?|ing)'
const easing = 'relax(?:e[sd]|ing)?|loosen(?:s|ed|ing)?|lower(?:s|ed|ing)?|reduc(?:e[sd]?|ing)|weaken(?:s|ed|ing)?|widen(?:s|ed|ing)?'
const changing = 'chang(?:e[sd]?|ing)|updat(?:e[sd]?|ing)|configur(?:e[sd]?|ing)|migrat(?:e[sd]?|ing)|' +
  'switch(?:es|ed|ing)?|renam(?:e[sd]?|ing)'
const tests = 'tests?|specs?|suites?'

/** What in a task's own words allows it. An only-test is never what anybody wants to land. */
const licences: Record<TamperKind, RegExp | null> = {
  'test-deleted': asks(removing, tests),
  'test-skipped': asks('skip(?:s|ped|ping)?|disabl(?:e[sd]?|ing)|quarantin(?:e[sd]?|ing)', tests),
  'test-focused': null,
  'assertions-removed': asks(`${removing}|${easing}`, 'assertions?|expectations?'),
  'assertion-weakened': asks(easing, 'assertions?|expectations?|tolerances?'),
  'threshold-lowered': asks(easing, 'thresholds?|coverage'),
  'ci-lowered': asks(`${removing}|${changing}|disabl(?:e[sd]?|ing)`, 'CI|workflows?|pipelines?|GitHub Actions|GitLab CI'),
  'snapshots-rewritten': asks(`${changing}|regenerat(?:e[sd]?|ing)|rewrit(?:e[s]?|ing)|refresh(?:es|ed|ing)?`, 'snapshots?'),
  'check-changed': asks(
    `${removing}|${changing}|${easing}|add(?:s|ed|ing)?`,
    'scripts?|lint(?:er|ing)?(?: rules?)?|eslint|tsconfig(?:\\.json)?|makefile|package\\.json|tooling|test runner|configs?|configuration',
  ),
}

/** What says so for a task. */
export const wordsOf = ({ title, description, criteria }: TaskState): string => [title, description, ...criteria].join('\n')

export const isLicensed = (text: string, kind: TamperKind): boolean => licences[kind]?.test(text) ?? false

/** What nobody asked for. */
export function unlicensed(words: readonly string[], findings: readonly TamperFinding[]): TamperFinding[] {
  const text = words.join('\n')
  return findings.filter(({ kind }) => !isLicensed(text, kind))
}

export const findingText = ({ kind, file, test, detail }: TamperFinding): string =>
  `${file}${test === null ? '' : ` › ${test}`}: ${kind.replaceAll('-', ' ')} (${detail})`

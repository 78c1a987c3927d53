/**
 * Whether a text asks for what the tamper guard found. A test may be removed when a person asked for it, never because
 * it was in the way.
 */
import type { TamperFinding, TamperKind } from '../../model/tamper.ts'
import type { TaskState } from '../../model/state.ts'
import { asks, asksForRevert, type Asked } from './license.ts'
import { isOwnSetting } from './permission.ts'

const removing = 'remov(?:es?|ing|al of)|delet(?:es?|ing)|drop(?:s|ping)?|retir(?:es?|ing)|replac(?:es?|ing)'
const easing = 'relax(?:es|ing)?|loosen(?:s|ing)?|lower(?:s|ing)?|reduc(?:es?|ing)|weaken(?:s|ing)?|widen(?:s|ing)?'
const skipping = 'skip(?:s|ping)?|disabl(?:es?|ing)|quarantin(?:es?|ing)'
const changing =
  'chang(?:es?|ing)|updat(?:es?|ing)|configur(?:es?|ing)|renam(?:es?|ing)|'
  + '(?:migrat(?:es?|ing)|switch(?:es|ing)?)(?: to| from)?'
const editing =
  'edit(?:s|ing)?|fix(?:es|ing)?|rewrit(?:es?|ing)|extend(?:s|ing)?|modif(?:y|ies|ying)|simplif(?:y|ies|ying)|'
  + 'adapt(?:s|ing)?|adjust(?:s|ing)?|improv(?:es?|ing)|refactor(?:s|ing)?|port(?:s|ing)?|mov(?:es?|ing)'
const any = [removing, easing, skipping, changing, editing, 'add(?:s|ing)?', 'regenerat(?:es?|ing)'].join('|')
const ask = (verbs: string, nouns: string): Asked => asks(verbs, nouns, any)
const either =
  (one: Asked, other: Asked): Asked =>
  (text) =>
    one(text) || other(text)

const rewriting = 'rewrit(?:es?|ing)|rework(?:s|ing)?|overhaul(?:s|ing)?|convert(?:s|ing)?|port(?:s|ing)?'
const tests = 'test|spec|suite'

/** The words that permit each kind of finding. No words permit a focused test (`test.only`). */
const licenses: Record<TamperKind, Asked | null> = {
  'test-deleted': ask(`${removing}|${rewriting}`, tests),
  'test-skipped': ask(skipping, tests),
  'test-focused': null,
  'assertions-removed': either(ask(`${removing}|${easing}`, 'assertion|expectation'), ask(rewriting, tests)),
  'assertion-weakened': ask(easing, 'assertion|expectation|tolerance'),
  'threshold-lowered': ask(easing, 'threshold|coverage'),
  'ci-lowered': ask(`${removing}|${changing}|disabl(?:es?|ing)`, 'CI|workflow|pipeline|GitHub Action|GitLab CI'),
  'snapshots-rewritten': ask(`${changing}|regenerat(?:es?|ing)|rewrit(?:es?|ing)|refresh(?:es|ing)?`, 'snapshot'),
  'check-changed': ask(
    `${removing}|${changing}|${easing}|add(?:s|ing)?`,
    'script|lint(?:er|ing)?(?: rule)?|eslint|tsconfig(?:\\.json)?|makefile|package\\.json|tooling|test runner|'
      + 'config|configuration',
  ),
}
/** A revert removes the tests and settings of the reverted change. It does not skip or focus tests. */
const undone: ReadonlySet<TamperKind> = new Set([
  'test-deleted',
  'assertions-removed',
  'assertion-weakened',
  'snapshots-rewritten',
  'check-changed',
])
const ownSettings = ask(
  `${removing}|${changing}|${easing}|${editing}|add(?:s|ing)?`,
  'check|guard|baseline|\\.looper/config\\.json',
)

/** The texts of a task that can permit a finding. */
export const wordsOf = ({ title, description, criteria }: TaskState): string =>
  [title, description, ...criteria].join('\n')

export const isLicensed = (text: string, kind: TamperKind): boolean => licenses[kind]?.(text) ?? false

/** Findings that the text does not permit. `files` are the files that a person asked to change. */
export function unlicensed(
  words: readonly string[],
  findings: readonly TamperFinding[],
  files: readonly string[] = [],
): TamperFinding[] {
  const text = words.join('\n')
  const kinds = [...new Set(findings.map(({ kind }) => kind))]
  const open = new Set(kinds.filter((kind) => !isLicensed(text, kind)))
  const isRevert = asksForRevert(text)
  return findings.filter(({ kind, file, test, subject }) => {
    if (isOwnSetting(file)) return !ownSettings(text)
    if (isRevert && undone.has(kind)) return false
    if (kind === 'check-changed' && isScript(file) && (files.includes(file) || isNamed(file, text))) return false
    if (kind === 'test-deleted' && subject !== undefined && removalOf(subject)(text)) return false
    if (kind === 'test-deleted' && test !== null && groupsOf(test).some((group) => removalOf(group)(text))) return false
    return open.has(kind)
  })
}

/**
 * Files that are only a program. A manifest or a configuration may be changed for many reasons, so its name alone
 * permits nothing.
 */
const isScript = (file: string): boolean => !/\.(?:jsonc?|json5|toml|ini|cfg|ya?ml|xml)$|rc$|\.config\.\w+$/.test(file)

const things =
  'module|feature|file|command|endpoint|page|component|class|function|support|code|api|helper|service|adapter|'
  + 'screen|view|option|flag'

/**
 * An order to remove a thing also permits to remove its tests. A file with a generic name is identified by its folder.
 */
function removalOf(file: string): Asked {
  const parts = file.replace(/\.\w+$/, '').split('/')
  const name = /^(?:index|main|mod|lib|__init__)$/.test(parts.at(-1) ?? '') ? parts.at(-2) : parts.at(-1)
  const words = (name ?? '')
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .split(/[^A-Za-z\d]+/)
    .filter(Boolean)
  return words.length === 0
    ? () => false
    : ask(removing, `(?:[\\w./-]*/)?${words.join('[\\s_.-]*')}(?:\\.\\w+)?(?:\\s+(?:${things}))?`)
}

/** The groups of a test name its subject. A path is not a group. */
const groupsOf = (test: string): string[] =>
  test
    .split(/ [\u203A>] |::/)
    .slice(0, -1)
    .filter((group) => group.length > 3 && !/[/.]/.test(group))
    .slice(-3)

const baseOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

const isNamed = (file: string, text: string): boolean => text.includes(baseOf(file)) && changeOf(file)(text)

/** The text may name the file by its path or its base name. */
function changeOf(file: string): Asked {
  const names = [file, baseOf(file)].map((name) => name.replace(/[^\w/-]/g, '\\$&')).join('|')
  return ask(`${removing}|${changing}|${easing}|${editing}|add(?:s|ing)?(?: [\\w'-]+){1,5} to`, names)
}

/** The text of a finding that only the planner's `allows` permits. */
export const plannedText = (finding: TamperFinding): string => `${findingText(finding)}, allowed by the planner`

export const findingText = ({ kind, file, test, detail }: TamperFinding): string =>
  `${file}${test === null ? '' : ` › ${test}`}: ${kind.replaceAll('-', ' ')} (${detail})`

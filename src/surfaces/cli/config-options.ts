/** The keys of the configuration as options of a command; the table of the API maps keys to flags. */
import type { SettingFlag } from '../../api/settings.ts'
import { keyOf, type OptionLine } from './option.ts'

export type FlagTable = readonly SettingFlag[]

const isLimit = ({ key }: SettingFlag): boolean => key.startsWith('limits.')
const configuration = 'Configuration (overrides .looper/config.json and LOOPER_*):'
const limits = 'Limits (0 means none at all, "none" no limit):'
const wholeLimits =
  'Limits of the whole run, including what it has used already (0 means none at all, "none" no limit):'

/**
 * What the command runs: any workflow, any pipeline, or only passes over one prompt without checks. `begun`: an
 * existing run with its own settings.
 */
export type Scope = 'any' | 'pipeline' | 'passes' | 'begun'

const ofPlans = ['workflow', 'review', 'onPlanRejected', 'limits.planRevisions']
const ofTasks = [
  'source',
  'sourceName',
  'parallel',
  'checksParallel',
  'checks',
  'sessions',
  'limits.iterations',
  'limits.goalIterations',
  'limits.fixCycles',
  'limits.attempts',
  'limits.splitDepth',
  'limits.recoveries',
  'limits.newTasks',
  'checkReruns',
  'baseline',
  'guard',
  'proof',
]
const ignored: Readonly<Record<Scope, readonly string[]>> = {
  any: [],
  pipeline: ofPlans,
  passes: [...ofPlans, ...ofTasks],
  begun: [],
}

/** Flags without effect are accepted but hidden in help, so that scripts can pass the same flags to every command. */
const isShown = ({ key, about }: SettingFlag, scope: Scope): boolean =>
  !about.includes(noEffect) && !ignored[scope].includes(key)
const noEffect = 'no effect in this version'

export function configOptions(table: FlagTable, scope: Scope = 'any'): OptionLine[] {
  const group = configuration
  const hidden = ignored[scope].includes('checks')
  return [
    ...table.filter((flag) => !isLimit(flag)).flatMap((flag) => optionsOf(flag, group, scope)),
    ['--in-place', 'same as --workspace in-place', { conflicts: 'workspace', group }],
    ['--checks <command>', '', { list: true, conflicts: 'check', hidden: true }],
    ['--no-checks', 'check nothing: everything will be unverified', { conflicts: 'check', hidden, group }],
    ...otherNames.map(([flag, meant]): OptionLine => [
      `--${flag} <value>`,
      '',
      { conflicts: keyOf(meant), hidden: true },
    ]),
    ...limitOptions(table, scope),
  ]
}

/** Names that other loop runners use for these flags. */
export const otherNames: readonly (readonly [flag: string, meant: string])[] = [
  ['max-iterations', 'iterations'],
  ['todo', 'backlog'],
]

export const limitOptions = (table: FlagTable, scope: Scope = 'any'): OptionLine[] =>
  table.filter(isLimit).flatMap((flag) => optionsOf(flag, scope === 'begun' ? wholeLimits : limits, scope))

/** Defaults that differ in a pipeline; `prepareRun` sets them. */
const ownDefaults: Readonly<Record<string, unknown>> = { parallel: 1, 'limits.iterations': 'as defined by the stage' }

/** The help of switches. A key describes a state, and a flag needs an imperative. */
export const switches: Readonly<Record<string, readonly [on: string, off: string]>> = {
  'workspace.commit': ['commit finished tasks (in worktrees they always are)', 'leave finished tasks uncommitted'],
  proof: ['prove that new tests fail without the change', 'do not prove that new tests fail without the change'],
  review: ['have agents review', 'no reviews by agents: checks alone decide'],
}

function optionsOf(entry: SettingFlag, group: string, scope: Scope): OptionLine[] {
  const { key, flag, kind, about, choices, placeholder } = entry
  const value = scope === 'begun' ? undefined : ((scope === 'any' ? undefined : ownDefaults[key]) ?? entry.default)
  const hidden = !isShown(entry, scope)
  const listed = choices === null ? '' : `: ${choices.join(', ')}`
  const text = `${words(about)}${listed}${defaultText(value ?? (choices === null ? null : nullMeaning(about)))}`
  if (kind === 'switch') {
    const [on = text, off = `not: ${text}`] = switches[key] ?? []
    return [
      [`--${flag}`, on, { hidden: hidden || value === true, group }],
      [`--no-${flag}`, off, { hidden, group }],
    ]
  }
  const list = kind === 'list'
  return [[`--${flag} <${placeholder}>`, list ? `${text}; may be repeated` : text, { list, hidden, group }]]
}

const defaultText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? ` (default: ${value})` : ''

/** "null means os where it works": the default of a flag that has choices. */
const nullMeaning = (about: string): string | undefined => /\bnull means ([^;.]+)/.exec(about)?.[1]

/** The description of a key, without the clauses that apply only to a file. */
function words(about: string): string {
  const clauses = about
    .replace(/\.$/, '')
    .split('; ')
    .filter((clause) => !/\bnull\b|\[\]/.test(clause))
    .join('; ')
  return `${clauses.charAt(0).toLowerCase()}${clauses.slice(1)}`
}

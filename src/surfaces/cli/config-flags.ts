/** Offers the keys of the configuration as options of a command; the table of the API maps keys to flags. */
import type { Limits } from '../../api/nouns.ts'
import type { Flags, SettingFlag } from '../../api/settings.ts'
import type { Context } from './context.ts'
import { keyOf, type OptionLine } from './option.ts'

export type FlagTable = readonly SettingFlag[]

const isLimit = ({ key }: SettingFlag): boolean => key.startsWith('limits.')
const configuration = 'Configuration (over .looper/config.json and LOOPER_*):'
const limits = 'Limits (0 means none at all, "none" no limit):'
const wholeLimits = 'Limits of the whole run: what it has used before counts (0 means none at all, "none" no limit):'

/**
 * What the command runs: any workflow, any pipeline, or only passes over one prompt without checks. `begun`: an
 * existing run with its own settings.
 */
export type Road = 'any' | 'pipeline' | 'passes' | 'begun'

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
const unheeded: Readonly<Record<Road, readonly string[]>> = {
  any: [],
  pipeline: ofPlans,
  passes: [...ofPlans, ...ofTasks],
  begun: [],
}

/** Flags without effect are accepted but hidden in help, so that scripts can pass the same flags to every command. */
const isShown = ({ key, about }: SettingFlag, road: Road): boolean =>
  !about.includes(noEffect) && !unheeded[road].includes(key)
const noEffect = 'no effect in this version'

export function configOptions(table: FlagTable, road: Road = 'any'): OptionLine[] {
  const group = configuration
  const hidden = unheeded[road].includes('checks')
  return [
    ...table.filter((flag) => !isLimit(flag)).flatMap((flag) => optionsOf(flag, group, road)),
    ['--in-place', 'same as --workspace in-place', { conflicts: 'workspace', group }],
    ['--checks <command>', '', { list: true, conflicts: 'check', hidden: true }],
    ['--no-checks', 'check nothing: everything will be unverified', { conflicts: 'check', hidden, group }],
    ...otherNames.map(([flag, meant]): OptionLine => [
      `--${flag} <value>`,
      '',
      { conflicts: keyOf(meant), hidden: true },
    ]),
    ...limitOptions(table, road),
  ]
}

/** Names that other loop runners use for these flags. */
const otherNames: readonly (readonly [flag: string, meant: string])[] = [
  ['max-iterations', 'iterations'],
  ['todo', 'backlog'],
]

export const limitOptions = (table: FlagTable, road: Road = 'any'): OptionLine[] =>
  table.filter(isLimit).flatMap((flag) => optionsOf(flag, road === 'begun' ? wholeLimits : limits, road))

/** Defaults that differ in a pipeline; `prepareRun` sets them. */
const ownDefaults: Readonly<Record<string, unknown>> = { parallel: 1, 'limits.iterations': 'what the stage says' }

/** The help of switches. A key describes a state, and a flag needs an imperative. */
export const switches: Readonly<Record<string, readonly [on: string, off: string]>> = {
  'workspace.commit': ['commit finished tasks (in worktrees they always are)', 'leave finished tasks uncommitted'],
  proof: [
    'run new tests without the change as well',
    'do not try new tests without the change: nobody knows then what they prove',
  ],
  review: ['have agents judge', 'no agent judges: checks alone decide'],
}

function optionsOf(entry: SettingFlag, group: string, road: Road): OptionLine[] {
  const { key, flag, kind, about, choices, placeholder } = entry
  const value = road === 'begun' ? undefined : ((road === 'any' ? undefined : ownDefaults[key]) ?? entry.default)
  const hidden = !isShown(entry, road)
  // A key whose default is null has one more choice, which its description names.
  const listed = choices === null || entry.default === null ? '' : `: ${choices.join(', ')}`
  const text = `${words(about)}${listed}${defaultText(value)}`
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

/** The description of a key, without the clauses that apply only to a file. */
function words(about: string): string {
  const clauses = about
    .replace(/\.$/, '')
    .split('; ')
    .filter((clause) => !/\bnull\b|\[\]/.test(clause))
    .join('; ')
  return `${clauses.charAt(0).toLowerCase()}${clauses.slice(1)}`
}

type Given = Readonly<Record<string, unknown>>

/** The given flags. Throws CONFIG_INVALID, naming the flag, for a value of the wrong kind. */
export const configFlags = async (context: Pick<Context, 'looper'>, options: Given): Promise<Flags> =>
  (await readFlags(context, options)).flags

/** The limits among the given flags, as values. */
export const limitFlags = async (context: Pick<Context, 'looper'>, options: Given): Promise<Partial<Limits>> =>
  (await readFlags(context, options)).limits

async function readFlags(
  { looper }: Pick<Context, 'looper'>,
  options: Given,
): Promise<{ flags: Flags; limits: Partial<Limits> }> {
  const { table, read } = await looper.settingFlags()
  const flags = flagsIn(options, table)
  return { flags, limits: read(flags) }
}

/** Flags by dotted key. */
function flagsIn(options: Given, table: FlagTable): Flags {
  const flags: Flags = {}
  for (const { key, flag } of table) {
    const other = otherNames.find(([, meant]) => meant === flag)?.[0]
    const value = options[keyOf(flag)] ?? (other === undefined ? undefined : options[keyOf(other)])
    if (value !== undefined) flags[key] = value
  }
  if (options.inPlace === true) flags['workspace.mode'] = 'in-place'
  if (options.checks !== undefined) flags.checks = options.checks === false ? [] : options.checks
  return flags
}

/** Offers the keys of the configuration as options of a command; the table of the API maps keys to flags. */
import { Option, type Command } from 'commander'
import type { Limits } from '../../api/nouns.ts'
import type { Flags, SettingFlag } from '../../api/settings.ts'
import type { Context } from './context.ts'

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

export function addConfigFlags(command: Command, table: FlagTable, road: Road = 'any'): void {
  for (const flag of table) if (!isLimit(flag)) addFlags(command, flag, configuration, road)
  const checksNothing = new Option('--no-checks', 'check nothing: everything will be unverified').conflicts('check')
  command.addOption(
    new Option('--in-place', 'same as --workspace in-place').conflicts('workspace').helpGroup(configuration),
  )
  command.addOption(new Option('--checks <command>').argParser(collect).conflicts('check').hideHelp())
  command.addOption(checksNothing.hideHelp(unheeded[road].includes('checks')).helpGroup(configuration))
  for (const [flag, meant] of otherNames)
    command.addOption(new Option(`--${flag} <value>`).conflicts(attribute(meant)).hideHelp())
  addLimitFlags(command, table, road)
}

/** Names that other loop runners use for these flags. */
const otherNames: readonly (readonly [flag: string, meant: string])[] = [
  ['max-iterations', 'iterations'],
  ['todo', 'backlog'],
]

export function addLimitFlags(command: Command, table: FlagTable, road: Road = 'any'): void {
  for (const flag of table) if (isLimit(flag)) addFlags(command, flag, road === 'begun' ? wholeLimits : limits, road)
}

/** Defaults that differ in a pipeline; `prepareRun` sets them. */
const ownDefaults: Readonly<Record<string, unknown>> = { parallel: 1, 'limits.iterations': 'as defined by the stage' }

/** The help of switches. A key describes a state, and a flag needs an imperative. */
export const switches: Readonly<Record<string, readonly [on: string, off: string]>> = {
  'workspace.commit': ['commit finished tasks (in worktrees they always are)', 'leave finished tasks uncommitted'],
  proof: ['prove that new tests fail without the change', 'do not prove that new tests fail without the change'],
  review: ['have agents review', 'no reviews by agents: checks alone decide'],
}

function addFlags(command: Command, entry: SettingFlag, group: string, road: Road): void {
  const { key, flag, kind, about, choices, placeholder } = entry
  const value = road === 'begun' ? undefined : ((road === 'any' ? undefined : ownDefaults[key]) ?? entry.default)
  const hidden = !isShown(entry, road)
  // A key whose default is null has one more choice, which its description names.
  const listed = choices === null || entry.default === null ? '' : `: ${choices.join(', ')}`
  const text = `${words(about)}${listed}${defaultText(value)}`
  if (kind === 'switch') {
    // Both forms are defined, because commander makes x true by default when only --no-x exists.
    const [on = text, off = `not: ${text}`] = switches[key] ?? []
    command.addOption(new Option(`--${flag}`, on).hideHelp(hidden || value === true).helpGroup(group))
    command.addOption(new Option(`--no-${flag}`, off).hideHelp(hidden).helpGroup(group))
    return
  }
  const option = new Option(`--${flag} <${placeholder}>`, kind === 'list' ? `${text}; may be repeated` : text)
  command.addOption((kind === 'list' ? option.argParser(collect) : option).hideHelp(hidden).helpGroup(group))
}

const collect = (value: string, before: unknown): string[] => [...(Array.isArray(before) ? before : []), value]
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
    const value = options[attribute(flag)] ?? (other === undefined ? undefined : options[attribute(other)])
    if (value !== undefined) flags[key] = value
  }
  if (options.inPlace === true) flags['workspace.mode'] = 'in-place'
  if (options.checks !== undefined) flags.checks = options.checks === false ? [] : options.checks
  return flags
}

const attribute = (flag: string): string => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

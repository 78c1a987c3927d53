/** The configuration's keys as options of a command; the table in config/ says which key has which flag. */
import { Option, type Command } from 'commander'
import { configFlags as table, flagLayers, type ConfigFlag } from '../../config/flags.ts'
import { keys } from '../../config/keys.ts'
import type { Spec } from '../../config/spec.ts'
import type { Limits } from '../../model/config.ts'
import type { Flags } from './app.ts'

const isLimit = ({ key }: ConfigFlag): boolean => key.startsWith('limits.')
const configuration = 'Configuration (over .looper/config.json and LOOPER_*):'
const limits = 'Limits (0 means none at all, "none" no limit):'
const wholeLimits = 'Limits of the whole run: what it has used before counts (0 means none at all, "none" no limit):'

/**
 * What a command's runs go through: any workflow, the stages of any pipeline, or only passes over one prompt that no
 * check follows; or the run is there already, with settings of its own.
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

/**
 * What changes nothing is taken all the same, for scripts that give every command the same flags, but help does not
 * speak of it.
 */
const isShown = ({ key, about }: ConfigFlag, road: Road): boolean =>
  !about.includes(noEffect) && !unheeded[road].includes(key)
const noEffect = 'no effect in this version'

export function addConfigFlags(command: Command, road: Road = 'any'): void {
  for (const flag of table) if (!isLimit(flag)) addFlags(command, flag, configuration, road)
  const checksNothing = new Option('--no-checks', 'check nothing: everything will be unverified').conflicts('check')
  command.addOption(
    new Option('--in-place', 'same as --workspace in-place').conflicts('workspace').helpGroup(configuration),
  )
  command.addOption(new Option('--checks <command>').argParser(collect).conflicts('check').hideHelp())
  command.addOption(checksNothing.hideHelp(unheeded[road].includes('checks')).helpGroup(configuration))
  for (const [flag, meant] of otherNames)
    command.addOption(new Option(`--${flag} <value>`).conflicts(attribute(meant)).hideHelp())
  addLimitFlags(command, road)
}

/** What other loop runners call these. */
const otherNames: readonly (readonly [flag: string, meant: string])[] = [
  ['max-iterations', 'iterations'],
  ['todo', 'backlog'],
]

export function addLimitFlags(command: Command, road: Road = 'any'): void {
  for (const flag of table) if (isLimit(flag)) addFlags(command, flag, road === 'begun' ? wholeLimits : limits, road)
}

/** In a pipeline some are others: see what `prepareRun` makes of the configuration. */
const ownDefaults: Readonly<Record<string, unknown>> = { parallel: 1, 'limits.iterations': 'what the stage says' }

/** A key says whether, a flag says what to do. */
export const switches: Readonly<Record<string, readonly [on: string, off: string]>> = {
  'workspace.commit': ['commit finished tasks (in worktrees they always are)', 'leave finished tasks uncommitted'],
  proof: [
    'run new tests without the change as well',
    'do not try new tests without the change: nobody knows then what they prove',
  ],
  review: ['have agents judge', 'no agent judges: checks alone decide'],
}

function addFlags(command: Command, entry: ConfigFlag, group: string, road: Road): void {
  const { key, flag, kind, about } = entry
  const setting = keys.find(({ name }) => name === key)
  const value =
    road === 'begun' ? undefined : ((road === 'any' ? undefined : ownDefaults[key]) ?? setting?.field?.default)
  const hidden = !isShown(entry, road)
  const text = `${words(about)}${choices(setting?.spec)}${defaultText(value)}`
  if (kind === 'switch') {
    // Both are there, because a lone --no-x would make x true when it is not given.
    const [on = text, off = `not: ${text}`] = switches[key] ?? []
    command.addOption(new Option(`--${flag}`, on).hideHelp(hidden || value === true).helpGroup(group))
    command.addOption(new Option(`--no-${flag}`, off).hideHelp(hidden).helpGroup(group))
    return
  }
  const option = new Option(
    `--${flag} <${placeholder(setting?.spec)}>`,
    kind === 'list' ? `${text}; may be repeated` : text,
  )
  command.addOption((kind === 'list' ? option.argParser(collect) : option).hideHelp(hidden).helpGroup(group))
}

const collect = (value: string, before: unknown): string[] => [...(Array.isArray(before) ? before : []), value]
const defaultText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? ` (default: ${value})` : ''
const choices = (spec: Spec | undefined): string => (spec?.kind === 'choice' ? `: ${spec.of.join(', ')}` : '')

/** What a key means in a file, without what only a file can say. */
function words(about: string): string {
  const clauses = about
    .replace(/\.$/, '')
    .split('; ')
    .filter((clause) => !/\bnull\b|\[\]/.test(clause))
    .join('; ')
  return `${clauses.charAt(0).toLowerCase()}${clauses.slice(1)}`
}

function placeholder(spec: Spec | undefined): string {
  switch (spec?.kind) {
    case 'nullable':
      return placeholder(spec.of)
    case 'number':
      return 'n'
    case 'choice':
      return 'choice'
    case 'list':
      return spec.of.kind === 'shorthand' ? 'command' : 'names'
    default:
      return 'name'
  }
}

/** What was given, by dotted key. Throws CONFIG_INVALID, naming the flag, for a value of the wrong kind. */
export function configFlags(options: Readonly<Record<string, unknown>>): Flags {
  const flags: Flags = {}
  for (const { key, flag } of table) {
    const other = otherNames.find(([, meant]) => meant === flag)?.[0]
    const value = options[attribute(flag)] ?? (other === undefined ? undefined : options[attribute(other)])
    if (value !== undefined) flags[key] = value
  }
  if (options.inPlace === true) flags['workspace.mode'] = 'in-place'
  if (options.checks !== undefined) flags.checks = options.checks === false ? [] : options.checks
  flagLayers(flags)
  return flags
}

/** The limits among the flags, as values. */
export function limitFlags(options: Readonly<Record<string, unknown>>): Partial<Limits> {
  const given: Partial<Limits> = {}
  for (const { value } of flagLayers(configFlags(options))) Object.assign(given, value.limits)
  return given
}

const attribute = (flag: string): string => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

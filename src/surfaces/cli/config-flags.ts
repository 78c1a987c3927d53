/** Reads the settings among the options that were given. */
import type { Limits } from '../../api/nouns.ts'
import type { Flags } from '../../api/settings.ts'
import { otherNames, type FlagTable } from './config-options.ts'
import type { CliContext } from './context.ts'
import { keyOf } from './option.ts'

type Given = Readonly<Record<string, unknown>>

/** The given flags. Throws CONFIG_INVALID, naming the flag, for a value of the wrong kind. */
export const configFlags = async (context: Pick<CliContext, 'looper'>, options: Given): Promise<Flags> =>
  (await readFlags(context, options)).flags

/** The limits among the given flags, as values. */
export const limitFlags = async (context: Pick<CliContext, 'looper'>, options: Given): Promise<Partial<Limits>> =>
  (await readFlags(context, options)).limits

async function readFlags(
  { looper }: Pick<CliContext, 'looper'>,
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

/** Parses `--type`: types of log lines, or types of journal events. */
import type { App } from '../../api/app.ts'
import { nearest } from '../../views/text/nearest.ts'
import { LooperError } from '../../api/error.ts'
import { logTypes, type LogType } from '../../api/nouns.ts'

export type WantedTypes = { of: 'log'; types: LogType[] } | { of: 'journal'; types: string[] }

/** Null when the option is absent. Throws USAGE_ARGUMENTS. */
export async function wantedTypes(app: Pick<App, 'eventTypes'>, text: string | undefined): Promise<WantedTypes | null> {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (text === undefined) return null
  const eventTypes = await app.eventTypes()
  const types = logTypes.filter((type) => names.includes(type))
  const events = eventTypes.filter((type) => names.includes(type))
  const unknown = names.find((name) => ![...types, ...events].some((type) => type === name))
  if (unknown !== undefined || names.length === 0) throw unknownType(unknown ?? '', eventTypes)
  if (types.length > 0 && events.length > 0) {
    throw new LooperError(
      'USAGE_ARGUMENTS',
      `--type takes types of the log or of the journal, not both: ${names.join(', ')}`,
    )
  }
  return types.length > 0 ? { of: 'log', types } : { of: 'journal', types: events }
}

/** The same for a command that only reads the log. */
export async function wantedLogTypes(
  app: Pick<App, 'eventTypes'>,
  text: string | undefined,
): Promise<readonly LogType[] | null> {
  const wanted = await wantedTypes(app, text)
  if (wanted === null) return null
  if (wanted.of === 'log') return wanted.types
  throw new LooperError('USAGE_ARGUMENTS', `${wanted.types.join(', ')} is a type of the journal, not of the log`, {
    hint: `\`looper tail --type ${wanted.types.join(',')}\` shows it.`,
  })
}

function unknownType(name: string, eventTypes: readonly string[]): LooperError {
  const close = nearest(name, [...logTypes, ...eventTypes])
  const all = `There are ${logTypes.join(', ')} of the log, and those of the journal, such as task.finished.`
  return new LooperError('USAGE_ARGUMENTS', `--type: there is no type '${name}'`, {
    hint: close === null ? all : `Did you mean ${close}?`,
  })
}

/** The configuration table as a page of documentation. */
import { aliases } from './aliases.ts'
import { describe } from './describe.ts'
import { keys, variablePart } from './keys.ts'
import type { Key } from './keys.ts'
import type { Fields, Spec } from './spec.ts'

const head = ['| key | value | default | variable | flag | meaning |', '|---|---|---|---|---|---|']

/** A markdown table with a row for every key that can be set on its own. */
export const configTable = (): string =>
  [...head, ...keys.filter(({ spec, field }) => field !== null && spec.kind !== 'object').map(row)].join('\n')

/** A markdown table with a row for every name of another tool that is understood. */
export function aliasTable(): string {
  const rows = aliases.map(({ tool, place, name, means, note }) => {
    const meaning =
      'key' in means ? code(chosen(means.key)) : 'elsewhere' in means ? means.elsewhere : `no effect: ${means.instead}`
    return `| ${tool} | ${code(chosen(name))} | ${place} | ${meaning} | ${note ?? ''} |`
  })
  return ['| tool | name | in a | means | to know |', '|---|---|---|---|---|', ...rows].join('\n')
}

function row({ name, spec, env, field }: Key): string {
  const flag = field?.flag === undefined ? '' : code(`--${field.flag}`)
  const value = field?.default === undefined ? '' : code(JSON.stringify(field.default))
  const cells = [code(name), describe(spec), value, code(env), flag, field?.about ?? '']
  return `| ${cells.join(' | ')} |`
}

/** Puts a word in the place of a name that people choose. */
const chosen = (name: string): string => name.replace('*', '<name>')

const code = (text: string): string => `\`${text}\``

/** The keys within entries that the user names or lists: a section with a table for each kind of entry. */
export const entryTables = (): string =>
  keys
    .filter(({ field }) => field !== null)
    .flatMap(({ name, spec }) => entriesOf(name, spec))
    .map(section)
    .join('\n\n')

interface Entries {
  /** `agents.<name>` */
  title: string
  /** How an entry may be written instead; null when it may not. */
  short: string | null
  fields: Fields
}

function entriesOf(name: string, spec: Spec): Entries[] {
  switch (spec.kind) {
    case 'nullable':
      return entriesOf(name, spec.of)
    case 'list':
      return within(`${name}[]`, spec.of)
    case 'record':
      return spec.names instanceof RegExp
        ? within(`${name}.<${spec.noun.includes('model') ? 'model' : 'name'}>`, spec.of)
        : []
    default:
      return []
  }
}

function within(title: string, spec: Spec): Entries[] {
  const full = spec.kind === 'shorthand' ? spec.full : spec
  if (full.kind !== 'object') return []
  const inner = Object.entries(full.fields).flatMap(([name, field]) => entriesOf(`${title}.${name}`, field.spec))
  return [
    {
      title,
      short: spec.kind === 'shorthand' ? 'A text alone is the line to run, and its own name.' : null,
      fields: full.fields,
    },
    ...inner,
  ]
}

function section({ title, short, fields }: Entries): string {
  const rows = Object.entries(fields).map(
    ([name, { spec, presence, about }]) =>
      `| ${[code(name), describe(spec), presence === 'required' ? 'yes' : '', variable(title, name), about].join(' | ')} |`,
  )
  const table = ['| key | value | needed | variable | meaning |', '|---|---|---|---|---|', ...rows].join('\n')
  return [`## ${code(title)}`, ...(short === null ? [] : [short]), table].join('\n\n')
}

/** What is in a list has none. */
function variable(title: string, name: string): string {
  if (title.includes('[]')) return ''
  const parts = [...title.split('.'), name].map((part) =>
    part.startsWith('<') ? part.toUpperCase() : variablePart(part),
  )
  return code(`LOOPER_${parts.join('_')}`)
}

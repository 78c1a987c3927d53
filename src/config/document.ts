/** Generates the lists of configuration keys for the documentation. */
import { aliases, type Alias } from './aliases.ts'
import { describe } from '../schema/describe.ts'
import { keys, variablePart } from './keys.ts'
import type { Key } from './keys.ts'
import type { Fields, Spec } from '../schema/shape.ts'

/** Returns a Markdown list with an item for every key that can be set on its own. */
export const configList = (): string =>
  keys
    .filter(({ spec, field }) => field !== null && spec.kind !== 'object')
    .map(item)
    .join('\n')

/** Returns a section for each other tool, with an item for every accepted name. */
export const aliasList = (): string =>
  [...new Set(aliases.map(({ tool }) => tool))]
    .map((tool) =>
      [
        `### ${tool}`,
        aliases
          .filter((alias) => alias.tool === tool)
          .map(aliasItem)
          .join('\n'),
      ].join('\n\n'),
    )
    .join('\n\n')

function aliasItem({ origin, name, means, note }: Alias): string {
  const meaning =
    'key' in means ? code(chosen(means.key)) : 'elsewhere' in means ? means.elsewhere : `no effect: ${means.instead}`
  return `- ${code(chosen(name))} (${origin}): ${meaning}${note === undefined ? '' : `; ${note}`}`
}

function item({ name, spec, env, field }: Key): string {
  const facts = [
    `Value: ${describe(spec)}.`,
    field?.default === undefined ? '' : `Default: ${code(JSON.stringify(field.default))}.`,
    `Variable: ${code(env)}.`,
    field?.flag === undefined ? '' : `Flag: ${code(`--${field.flag}`)}.`,
  ]
  return [`- ${code(name)}: ${field?.about ?? ''}`, ...facts].filter((part) => part !== '').join(' ')
}

/** Replaces `*` with a placeholder for a user-defined name. */
const chosen = (name: string): string => name.replace('*', '<name>')

const code = (text: string): string => `\`${text}\``

/** Returns a section for each kind of entry that the user names or lists, with its keys. */
export const entryLists = (): string =>
  keys
    .filter(({ field }) => field !== null)
    .flatMap(({ name, spec }) => entriesOf(name, spec))
    .map(section)
    .join('\n\n')

interface Entries {
  /** For example `agents.<name>`. */
  title: string
  /** The short form of an entry; null when there is none. */
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
        ? within(`${name}.<${spec.nameNoun.includes('model') ? 'model' : 'name'}>`, spec.of)
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
  const items = Object.entries(fields).map(([name, { spec, presence, about }]) => {
    const required = presence === 'required' ? ' Required.' : ''
    // Entries of a list have no variable.
    const env = title.includes('[]') ? '' : ` Variable: ${variable(title, name)}.`
    return `- ${code(name)}: ${about} Value: ${describe(spec)}.${required}${env}`
  })
  return [`## ${code(title)}`, ...(short === null ? [] : [short]), items.join('\n')].join('\n\n')
}

/** Returns the variable of a key in an entry that the user names. */
function variable(title: string, name: string): string {
  const parts = [...title.split('.'), name].map((part) =>
    part.startsWith('<') ? part.toUpperCase() : variablePart(part),
  )
  return code(`LOOPER_${parts.join('_')}`)
}

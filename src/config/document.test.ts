import { describe, expect, it } from 'vitest'
import { configTable, entryTables } from './document.ts'
import { configJsonSchema } from './json-schema.ts'

describe('configTable', () => {
  const rows = configTable().split('\n')

  it('has a row for every key that can be set on its own', () => {
    expect(rows.find((row) => row.includes('`limits.timeMinutes`'))).toBe(
      '| `limits.timeMinutes` | a number of at least 0, or null | `120` | `LOOPER_LIMITS_TIME_MINUTES` | `--time-minutes` '
      + '| Minutes of running time. |')
    expect(rows.find((row) => row.includes('`secrets`'))).toMatch(/^\| `secrets` \| a list \| `\[\]` \| `LOOPER_SECRETS` \|  \| Variables/)
    expect(rows.filter((row) => row.startsWith('| `limits'))).toHaveLength(12)
  })

  it('has six cells in every row', () => {
    for (const row of rows) expect(row.split('|')).toHaveLength(8)
  })
})

describe('entryTables', () => {
  const sections = entryTables().split(/^(?=## )/m)
  const titles = sections.map((section) => /`(.+)`/.exec(section)?.[1])
  const keysIn = (title: string): string[] =>
    [...sections[titles.indexOf(title)]!.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key as string)

  /** Objects below a place of the schema that hold keys of their own, by where they are. */
  function objectsIn(schema: unknown, at: string): [string, string[]][] {
    if (typeof schema !== 'object' || schema === null) return []
    const { properties = {}, additionalProperties, items, anyOf } = schema as { properties?: object } & Record<string, unknown>
    const model = at.endsWith('.prices') ? '<model>' : '<name>'
    return [
      ...(Object.keys(properties).length === 0 ? [] : [[at, Object.keys(properties)] as [string, string[]]]),
      ...Object.entries(properties).flatMap(([key, inner]) => objectsIn(inner, `${at}.${key}`)),
      ...objectsIn(additionalProperties, `${at}.${model}`), ...objectsIn(items, `${at}[]`),
      ...(Array.isArray(anyOf) ? anyOf.flatMap((one) => objectsIn(one, at)) : []),
    ]
  }

  it('has every key that the schema allows within entries, and no other', () => {
    const { agents, checks } = configJsonSchema()['properties'] as Record<string, unknown>
    const wanted = [...objectsIn(agents, 'agents'), ...objectsIn(checks, 'checks')]
    expect(wanted.map(([title]) => title)).toEqual(['agents.<name>', 'agents.<name>.prices.<model>', 'checks[]'])
    expect(titles).toEqual(wanted.map(([title]) => title))
    for (const [title, keys] of wanted) expect(keysIn(title)).toEqual(keys)
  })

  it('tells what is needed and what a text alone means', () => {
    expect(entryTables()).toContain('| `run` | a text that is not empty | yes | A shell line; exit code 0 is a pass. |')
    expect(sections.at(-1)).toContain('A text alone is the line to run, and its own name.')
  })
})

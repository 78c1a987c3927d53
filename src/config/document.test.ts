import { describe, expect, it } from 'vitest'
import { configTable, entryTables } from './document.ts'
import { configJsonSchema } from './json-schema.ts'

describe('configTable', () => {
  const rows = configTable().split('\n')

  it('has a row for every key that can be set on its own', () => {
    expect(rows.find((row) => row.includes('`limits.timeMinutes`'))).toBe(
      '| `limits.timeMinutes` | a number of at least 0, or null | `120` | `LOOPER_LIMITS_TIME_MINUTES` | `--time-minutes` '
        + '| Minutes of running time. |',
    )
    expect(rows.find((row) => row.includes('`secrets`'))).toMatch(
      /^\| `secrets` \| a list \| `\[\]` \| `LOOPER_SECRETS` \|  \| Variables/,
    )
    expect(rows.filter((row) => row.startsWith('| `limits'))).toHaveLength(14)
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

  it('has every key that the schema allows within entries, and no other', () => {
    type Schema = {
      properties: Record<string, Schema & { deprecated?: boolean }>
      additionalProperties: Schema
      anyOf: Schema[]
      items: Schema
      $defs: Record<string, Schema>
    }
    const schema = configJsonSchema() as unknown as Schema
    const own = ({ properties }: Schema): string[] =>
      Object.keys(properties).filter((name) => properties[name]?.deprecated !== true)
    const { agent, role } = schema.$defs
    expect(titles).toEqual(['agents.<name>', 'agents.<name>.prices.<model>', 'checks[]'])
    expect(keysIn('agents.<name>')).toEqual(own(agent!))
    expect(keysIn('agents.<name>.prices.<model>')).toEqual(own(agent!.properties['prices']!.additionalProperties))
    expect(keysIn('checks[]')).toEqual(own(schema.properties['checks']!.anyOf[0]!.items.anyOf[1]!))
    expect(Object.keys(role!.properties)).toEqual(['agent', 'model'])
  })

  it('tells what is needed and what a text alone means', () => {
    expect(entryTables()).toContain(
      '| `run` | a text that is not empty | yes |  | A shell line; exit code 0 is a pass. |',
    )
    expect(entryTables()).toContain(
      '| `model` | a text that is not empty |  | `LOOPER_AGENTS_<NAME>_MODEL` | The model to ask for. |',
    )
    expect(entryTables()).toContain('`LOOPER_AGENTS_<NAME>_PRICES_<MODEL>_CACHED_INPUT`')
    expect(sections.at(-1)).toContain('A text alone is the line to run, and its own name.')
  })
})

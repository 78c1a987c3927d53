import { describe, expect, test } from 'vitest'
import { configList, entryLists } from './document.ts'
import { configJsonSchema } from './json-schema.ts'

describe('configList', () => {
  const rows = configList().split('\n')

  test('has an item for every key that can be set on its own', () => {
    expect(rows.find((row) => row.includes('`limits.timeMinutes`'))).toBe(
      '- `limits.timeMinutes`: Minutes of running time. Value: a number of at least 0, or null. Default: `120`. '
        + 'Variable: `LOOPER_LIMITS_TIME_MINUTES`. Flag: `--time-minutes`.',
    )
    expect(rows.find((row) => row.includes('`secrets`'))).toMatch(
      /^- `secrets`: Variables.* Value: a list\. Default: `\[\]`\. Variable: `LOOPER_SECRETS`\.$/,
    )
    expect(rows.filter((row) => row.startsWith('- `limits'))).toHaveLength(14)
  })

  test('has the meaning, the value and the variable in every item', () => {
    for (const row of rows) expect(row).toMatch(/^- `\S+`: .+ Value: .+\. .*Variable: `LOOPER_\w+`\./)
  })
})

describe('entryLists', () => {
  const sections = entryLists().split(/^(?=## )/m)
  const titles = sections.map((section) => /`(.+)`/.exec(section)?.[1])
  const keysIn = (title: string): string[] =>
    [...sections[titles.indexOf(title)]!.matchAll(/^- `(\w+)`: /gm)].map(([, key]) => key as string)

  test('has every key that the schema allows within entries, and no other', () => {
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

  test('reports what is needed and what a text alone means', () => {
    expect(entryLists()).toContain(
      '- `run`: A shell line; exit code 0 is a pass. Value: a text that is not empty. Required.\n',
    )
    expect(entryLists()).toContain(
      '- `model`: The model to ask for. Value: a text that is not empty. Variable: `LOOPER_AGENTS_<NAME>_MODEL`.\n',
    )
    expect(entryLists()).toContain('`LOOPER_AGENTS_<NAME>_PRICES_<MODEL>_CACHED_INPUT`')
    expect(sections.at(-1)).toContain('A text alone is the line to run, and its own name.')
  })
})

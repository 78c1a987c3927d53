import { describe, expect, it } from 'vitest'
import { configTable } from './document.ts'

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

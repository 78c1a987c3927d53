import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const dist = join(import.meta.dirname, '../../dist')

test.each(['starting', 'settings', 'asking'])('%s loads without the engine', (name) => {
  const chunks = readdirSync(dist).filter((file) => file.startsWith(`${name}-`) && file.endsWith('.cjs'))
  expect(chunks).toHaveLength(1)
  for (const file of chunks) expect(readFileSync(join(dist, file), 'utf8')).not.toMatch(/require\(["'`]\.\/running-/)
})

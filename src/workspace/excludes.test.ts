import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isExcluded, writeExcludes } from './excludes.ts'
import { makeRepository } from '../../test/kit/repository.ts'

const segment = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'ab *?[]\\!#"\'\t-{}'.split('')) })
  .filter((name) => name !== '.' && name !== '..')

test('a rule matches its own path and no neighbour, whatever characters it has', async () => {
  const repository = makeRepository()
  const place = { path: repository.root, gitDir: '', index: '', excludes: join(repository.root, 'rules'), foreign: [''], usualIndex: null }
  await fc.assert(fc.asyncProperty(fc.uniqueArray(segment, { minLength: 2, maxLength: 6 }), async (names) => {
    const [own = '', ...others] = names.map((name) => `dir/${name}`)
    place.foreign = [own]
    await writeExcludes(place, '')
    const ignored = execFileSync('git', ['-c', `core.excludesFile=${place.excludes}`, 'check-ignore', '-z', '--no-index', '--stdin'], {
      cwd: repository.root, input: [own, ...others].join('\0') + '\0', encoding: 'utf8',
    })
    expect(ignored).toBe(`${own}\0`)
  }), { numRuns: 60 })
})

test('folders count with everything in them, files only themselves', () => {
  expect(isExcluded('deps/a/b', ['deps/'])).toBe(true)
  expect(isExcluded('deps', ['deps/'])).toBe(false)
  expect(isExcluded('.env.local', ['.env'])).toBe(false)
  expect(isExcluded('to-do.json', [])).toBe(true)
  expect(isExcluded('sub/to-do.json', [])).toBe(false)
})

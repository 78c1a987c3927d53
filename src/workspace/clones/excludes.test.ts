import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isExcluded, writeExcludes } from './excludes.ts'
import { takeSnapshot } from './snapshot.ts'
import { makeRepository } from '../../../test/kit/repository.ts'

const segment = fc
  .string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'ab *?[]\\!#"\'\t-{}'.split('')) })
  .filter((name) => name !== '.' && name !== '..')

test('a rule matches its own path and no neighbor, whatever characters it has', async () => {
  const repository = makeRepository()
  const workTree = {
    path: repository.root,
    gitDir: '',
    index: '',
    excludes: join(repository.root, 'rules'),
    foreign: [''],
    usualIndex: null,
  }
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(segment, { minLength: 2, maxLength: 6 }), async (names) => {
      const [own = '', ...others] = names.map((name) => `dir/${name}`)
      workTree.foreign = [own]
      writeExcludes(workTree, '')
      const ignored = execFileSync(
        'git',
        ['-c', `core.excludesFile=${workTree.excludes}`, 'check-ignore', '-z', '--no-index', '--stdin'],
        { cwd: repository.root, input: [own, ...others].join('\0') + '\0', encoding: 'utf8' },
      )
      expect(ignored).toBe(`${own}\0`)
    }),
    { numRuns: 60 },
  )
})

test('folders count with everything in them, files only themselves', () => {
  expect(isExcluded('deps/a/b', ['deps/'])).toBe(true)
  expect(isExcluded('deps', ['deps/'])).toBe(false)
  expect(isExcluded('.env.local', ['.env'])).toBe(false)
  expect(isExcluded('to-do.json', [])).toBe(true)
  expect(isExcluded('sub/to-do.json', [])).toBe(false)
})

test.each(['.looper', '.looper/loop', '.looper/runs', '.looper/worktrees'])(
  'a link in the place of %s comes out in no change',
  async (path) => {
    const repository = makeRepository({ '.looper-is': 'not that' })
    const own = {
      path: repository.root,
      index: join(repository.root, '.git/own-index'),
      excludes: join(repository.root, '.git/rules'),
    }
    const workTree = { ...own, gitDir: join(repository.root, '.git'), foreign: [], usualIndex: null }
    writeExcludes(workTree, '')
    mkdirSync(dirname(join(repository.root, path)), { recursive: true })
    symlinkSync('/etc', join(repository.root, path))
    repository.write('made', 'by the agent')
    const { changes } = await takeSnapshot(workTree, { id: 'HEAD' }, 'content', '')
    expect(changes.map((change) => change.path)).toEqual(['made'])
  },
)

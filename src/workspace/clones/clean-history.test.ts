import { expect, test } from 'vitest'
import { makeRepository } from '../../../test/kit/repository.ts'
import { cleanVersion } from './clean-history.ts'

const isClean = (text: string): boolean => !text.includes('hunter2-hunter2')

/** A repository with one agent commit per step on top of the base. */
function committed(...steps: { message: string; files: Record<string, string> }[]) {
  const repository = makeRepository({ 'a.txt': 'a\n' })
  const since = repository.git('rev-parse', 'HEAD')
  for (const { message, files } of steps) {
    for (const [path, text] of Object.entries(files)) repository.write(path, text)
    repository.git('add', '-A')
    repository.git('commit', '-qm', message)
  }
  const commit = repository.git('rev-parse', 'HEAD')
  const clean = (): Promise<string | null> =>
    cleanVersion({ commit, since, message: 'What was left' }, isClean, { cwd: repository.root, mark: 'test:clean:1' })
  return { ...repository, since, commit, clean }
}

test('characters are whole where a chunk of the output ends within one', async () => {
  const { commit, since, root } = committed({ message: 'one', files: { 'b.txt': '€'.repeat(100_000) } })
  const seen: string[] = []
  const isWhole = (text: string): boolean => seen.push(text) > 0 && !text.includes('\uFFFD')
  expect(await cleanVersion({ commit, since, message: '' }, isWhole, { cwd: root, mark: 'test:clean:1' })).toBe(commit)
  expect(seen.length).toBeGreaterThan(1)
})

test('commits without a secret are kept as they are', async () => {
  const { commit, clean } = committed({ message: 'one', files: { 'b.txt': 'b' } })
  expect(await clean()).toBe(commit)
})

test.each([
  ['a message', [{ message: 'use hunter2-hunter2', files: { 'b.txt': 'b' } }]],
  [
    'a file that a later commit cleaned',
    [
      { message: 'one', files: { 'b.txt': 'hunter2-hunter2' } },
      { message: 'two', files: { 'b.txt': 'b' } },
    ],
  ],
])('of commits with a secret in %s the files are kept as one', async (_where, steps) => {
  const { git, since, commit, clean } = committed(...steps)
  const kept = (await clean()) ?? ''
  expect(git('rev-parse', `${kept}^{tree}`)).toBe(git('rev-parse', `${commit}^{tree}`))
  expect([git('log', '-1', '--format=%s', kept), git('rev-parse', `${kept}^`)]).toEqual(['What was left', since])
})

test('nothing is kept of files with a secret, however large', async () => {
  const { clean } = committed({
    message: 'one',
    files: { 'a-large.txt': 'x\n'.repeat(500_000), 'z.bin': '\0hunter2-hunter2' },
  })
  expect(await clean()).toBeNull()
})

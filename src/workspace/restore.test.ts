import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeRepository, makeWorktrees, workspacesOf } from '../../test/kit/repository.ts'
import { inspect, ready } from '../../test/kit/steps.ts'

describe('restore and diff', () => {
  test('restore names what differed, and nothing when nothing did', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('x.txt', 'x\n')
    const { tree } = await inspect(worktrees, 'T001', base)
    expect(await worktrees.restore('T001', tree)).toEqual([])
    at('T001').write('x.txt', 'y\n')
    at('T001').write('z.txt', 'z\n')
    expect(await worktrees.restore('T001', tree)).toEqual(['x.txt', 'z.txt'])
    expect(at('T001').read('x.txt')).toBe('x\n')
    expect(await worktrees.restore('T001', tree)).toEqual([])
  })

  test('restore brings back the recorded tree after all scratch was deleted', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('x.txt', 'x\n')
    const { tree } = await inspect(worktrees, 'T001', base)
    rmSync(workspacesOf(repository), { recursive: true })
    const fresh = await makeWorktrees(repository)
    expect(await fresh.restore('T001', tree)).toEqual(['x.txt'])
    expect(await inspect(fresh, 'T001', base)).toMatchObject({ tree, files: ['x.txt'] })
  })

  test('diff is unified, names binary files only, and is cut with a note', async () => {
    const repository = makeRepository()
    repository.git('config', 'diff.external', 'false')
    repository.git('config', 'diff.odd.command', 'false')
    repository.git('config', 'diff.odd.textconv', 'false')
    repository.write('.gitattributes', '*.txt diff=odd\n')
    repository.commit('Attributes')
    repository.git('config', 'color.ui', 'always')
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('a.txt', 'one\n2\nthree\n')
    at('T001').write('ü.bin', Buffer.from([0, 1, 2, 0]))
    const diff = await worktrees.diff('T001', base, 10_000)
    expect(diff).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n')
    expect(diff).toContain('Binary files /dev/null and b/ü.bin differ')
    at('T001').write('big.txt', 'line\n'.repeat(500_000))
    const cut = await worktrees.diff('T001', base, 2_000)
    expect(cut.length).toBeLessThanOrEqual(2_000)
    expect(cut).toMatch(/\n\[cut here: the whole diff is longer than 2000 characters\]\n$/)
    expect(cut).toContain('+2\n')
  })
})

import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeRepository, makeWorktrees, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import { inspect, merge, ready, tip } from '../../../test/kit/steps.ts'

/** The base tracks `out.ign`, although it is ignored. */
async function start() {
  const repository = makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'out.ign': 'o\n', '.gitignore': '' })
  repository.write('.gitignore', '*.ign\n')
  repository.commit('Ignore')
  const { worktrees, base, at } = await ready(repository, 'T001')
  const look = async () => (await inspect(worktrees, 'T001', base)).files
  return { repository, worktrees, base, agent: at('T001'), look }
}

const save = ({ git }: Repository): string => git('commit', '--quiet', '--message', 'Mine')

const untrack = ({ git }: Repository, ...paths: string[]): string => git('rm', '--quiet', '-r', '--cached', ...paths)

function ignore(agent: Repository, path: string): void {
  agent.write('.gitignore', `*.ign\n${path}\n`)
}

describe('a file that the agent stops tracking', () => {
  test('does not land if it is ignored now, and stays on the disk', async () => {
    const { repository, worktrees, base, agent, look } = await start()
    untrack(agent, 'b.txt')
    ignore(agent, 'b.txt')
    agent.git('add', '.gitignore')
    save(agent)
    for (const _ of ['found', 'known']) expect(await look()).toEqual(['.gitignore', 'b.txt'])
    expect((await inspect(await makeWorktrees(repository), 'T001', base)).files).toEqual(['.gitignore', 'b.txt'])
    await merge(worktrees, 'T001', base)
    expect(repository.git('ls-tree', '--name-only', tip(repository))).toBe('.gitignore\na.txt\nout.ign')
    expect(agent.read('b.txt')).toBe('b\n')
  })

  test.each<[string, (agent: Repository) => void]>([
    ['and commits that', (agent) => void [untrack(agent, 'out.ign'), save(agent)]],
    ['and does not commit that', (agent) => void untrack(agent, 'out.ign')],
    ['with everything else, which it adds again', (agent) => void [untrack(agent, '.'), agent.commit('Again')]],
    [
      'in an index that only git reads',
      (agent) => void [untrack(agent, 'out.ign'), agent.git('update-index', '--index-version', '4')],
    ],
    [
      'in an index without a checksum',
      (agent) => void [agent.git('config', 'index.skipHash', 'true'), untrack(agent, 'out.ign')],
    ],
    [
      'and locks its index',
      (agent) => void [untrack(agent, 'out.ign'), writeFileSync(join(agent.root, '.git/index.lock'), '')],
    ],
  ])('does not land if it was ignored before: %s', async (_how, act) => {
    const { agent, look } = await start()
    act(agent)
    expect(await look()).toEqual(['out.ign'])
  })

  test('lands unless it is ignored, until it is', async () => {
    const { agent, look } = await start()
    untrack(agent, 'b.txt')
    save(agent)
    expect(await look()).toEqual([])
    agent.write('b.txt', 'changed\n')
    expect(await look()).toEqual(['b.txt'])
    ignore(agent, 'b.txt')
    expect((await look()).toSorted()).toEqual(['.gitignore', 'b.txt'])
    agent.write('b.txt', 'b\n')
    expect(await look()).toEqual(['.gitignore', 'b.txt'])
  })

  test('lands again when the agent tracks it again, and one that was only added by force lands no longer', async () => {
    const { agent, look } = await start()
    agent.write('new.ign', 'n\n')
    untrack(agent, 'out.ign')
    agent.git('add', '--force', 'new.ign')
    expect(await look()).toEqual(['new.ign', 'out.ign'])
    untrack(agent, 'new.ign')
    agent.git('add', '--force', 'out.ign')
    expect(await look()).toEqual([])
  })

  test('is tracked again when the files are restored', async () => {
    const { repository, worktrees, base, agent, look } = await start()
    const tree = repository.git('rev-parse', `${base}^{tree}`)
    untrack(agent, 'out.ign')
    expect(await inspect(worktrees, 'T001', base, tree)).toMatchObject({ files: ['out.ign'], restored: true })
    agent.write('a.txt', 'changed\n')
    agent.commit('Mine')
    expect(await look()).toEqual(['a.txt'])
  })
})

test.each<[string, (agent: Repository) => void]>([
  ['deleted', ({ root }) => rmSync(join(root, '.git/index'))],
  ['damaged', ({ root }) => writeFileSync(join(root, '.git/index'), 'rubbish')],
  [
    'cut off',
    ({ root }) => writeFileSync(join(root, '.git/index'), readFileSync(join(root, '.git/index')).subarray(0, 150)),
  ],
  ['empty', ({ git }) => void git('read-tree', '--empty')],
  [
    'that of another history',
    (agent) => {
      agent.git('checkout', '--quiet', '--orphan', 'other')
      untrack(agent, '.')
      agent.write('own.txt', 'own\n')
      agent.git('add', 'own.txt')
      save(agent)
    },
  ],
  [
    'that of a repository of its own',
    (agent) => {
      rmSync(join(agent.root, '.git'), { recursive: true })
      agent.git('init', '--quiet')
      agent.commit('Mine')
    },
  ],
])('an index of the agent that is %s removes nothing', async (_what, act) => {
  const { agent, look } = await start()
  act(agent)
  expect(await look()).not.toContain('out.ign')
  agent.write('b.txt', 'changed\n')
  const found = await look()
  expect(found).toContain('b.txt')
  expect(found).not.toContain('out.ign')
})

test('where the agent tracks every file of the base, git looks for ignored ones once', async () => {
  const { agent, look } = await start()
  agent.write('new.txt', 'new\n')
  agent.write('a.txt', 'changed\n')
  agent.git('add', 'a.txt')
  rmSync(join(agent.root, 'b.txt'))
  const calls = recordGit()
  expect(await look()).toEqual(['a.txt', 'b.txt', 'new.txt'])
  expect(calls().filter((call) => call.includes('--ignored'))).toHaveLength(1)
})

/** Puts a program before git that writes down its arguments. */
function recordGit(): () => string[] {
  const [folder, { PATH = '' }] = [temporaryFolder(), process.env]
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const script = `#!/bin/sh\necho "$*" >> '${folder}/calls'\nexec '${real}' "$@"\n`
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 })
  process.env['PATH'] = `${folder}:${PATH}`
  onTestFinished(() => void (process.env['PATH'] = PATH))
  return () => readFileSync(join(folder, 'calls'), 'utf8').split('\n')
}

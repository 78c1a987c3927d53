/** Agents that use git in every way: no other task, nothing of the user's and nothing in Looper's git changes. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { addMul, playCase, product, type HostileCase, type Judged } from '../kit/hostile.ts'
import { usualSandbox } from '../kit/project.ts'
import type { Project } from '../kit/project.ts'

vi.setConfig({ testTimeout: 600_000 })

const two = [
  { id: 'T001', title: 'one' },
  { id: 'T002', title: 'two' },
]
const commit = `git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '-qam', 'by the agent')`
const commitAll = 'git add -A && git -c user.name=a -c user.email=a@b commit -qm x'
const adds =
  (...files: string[]) =>
  ({ landed }: Judged): void =>
    expect(landed).toEqual([...Object.keys(product), 'README.md', ...files].toSorted())
const addsMul = adds('lib/mul.mjs', 'test/mul.mjs')

/** A program that leaves a trace when it is run: the kit looks for it when the run is over. */
const trap = `write(env.NOTES + '/trap', '#!/bin/sh\\necho "$0 $*" >> ' + env.NOTES + '/sprung\\nexec cat\\n');
  fs.chmodSync(env.NOTES + '/trap', 0o755)`
const hookNames = [
  'pre-commit',
  'post-commit',
  'commit-msg',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'post-merge',
  'update',
]
const allHooks = `for (const hook of ${JSON.stringify(hookNames)}) {
  fs.mkdirSync(hooks, { recursive: true }); fs.copyFileSync(env.NOTES + '/trap', path.join(hooks, hook))
}`

function stashOfTheUser(project: Project): void {
  project.write('README.md', '# half done\n')
  project.git('stash', '-q')
}

const inClone: [name: string, coder: string][] = [
  ['commits its work', `git('add', '-A'); ${commit}`],
  ['commits on a branch of its own', `git('checkout', '-q', '-b', 'mine'); git('add', '-A'); ${commit}`],
  [
    'commits and goes back to where it was',
    `git('add', '-A'); ${commit}; git('checkout', '-q', 'HEAD~1');
    ${addMul()}`,
  ],
  ['stages and unstages', `git('add', '-A'); git('rm', '-q', '--cached', 'lib/mul.mjs'); git('reset', '-q')`],
  [
    'tags, deletes branches and clears away',
    `git('tag', 'v1');
    for (const name of refs('refs/heads')) tryGit('update-ref', '-d', name)
git('reflog', 'expire', '--expire=now', '--all'); git('gc', '-q', '--prune=now')`,
  ],
  ['repacks without what others have', `git('repack', '-a', '-d', '-q', '-l'); git('prune', '--expire=now')`],
  ['adds a work tree', `git('worktree', 'add', '-q', '--detach', env.NOTES + '/tree')`],
  ['makes an orphan', `git('checkout', '-q', '--orphan', 'new'); git('add', '-A'); ${commit}`],
  ['stashes and pops', `git('add', '-A'); git('stash', '-q'); git('stash', 'pop', '-q')`],
  [
    'leaves a merge under way',
    `git('checkout', '-q', '-b', 'a'); git('add', '-A'); ${commit};
    git('checkout', '-q', '--detach', 'HEAD~1'); write('lib/mul.mjs', 'x'); git('add', '-A'); ${commit};
      tryGit('merge', 'a'); ${addMul()}`,
  ],
  ['leaves a bisect under way', `git('bisect', 'start')`],
  [
    'replaces an object',
    `const other = git('hash-object', '-w', 'check.mjs');
    git('replace', '-f', git('rev-parse', 'HEAD:lib/add.mjs'), other)`,
  ],
  [
    'leaves locks',
    `const names = ['index', 'HEAD', 'config', 'packed-refs']
for (const name of names) fs.writeFileSync('.git/' + name + '.lock', '')`,
  ],
  ['deletes .git', `fs.rmSync('.git', { recursive: true })`],
  ['puts a file in the place of .git', `fs.rmSync('.git', { recursive: true }); write('.git', 'gitdir: /nowhere\\n')`],
  [
    'puts a link to another repository in the place of .git',
    `fs.rmSync('.git', { recursive: true }); git('init', '-q', env.NOTES + '/other');
    fs.symlinkSync(env.NOTES + '/other/.git', '.git')`,
  ],
  [
    'makes a new repository in the place of .git',
    `fs.rmSync('.git', { recursive: true }); git('init', '-q'); git('add', '-A'); ${commit}`,
  ],
  ['writes nonsense to HEAD and the index', `write('.git/HEAD', 'nonsense\\n'); write('.git/index', 'nonsense')`],
  ['deletes its objects and alternates', `fs.rmSync('.git/objects', { recursive: true })`],
  [
    'flags files as unchanged',
    `fs.appendFileSync('lib/add.mjs', '// more\\n');
    git('update-index', '--assume-unchanged', 'lib/add.mjs'); git('update-index', '--skip-worktree', 'check.mjs')`,
  ],
  [
    'ignores modes, links and case',
    `for (const key of ['fileMode', 'symlinks']) git('config', 'core.' + key, 'false');
    git('config', 'core.ignoreCase', 'true')`,
  ],
  ['points its work tree elsewhere', `git('config', 'core.worktree', env.NOTES)`],
  ['calls itself bare', `git('config', 'core.bare', 'true')`],
  ['writes a config that git cannot read', `write('.git/config', '[core\\n')`],
  [
    'adds a remote and pushes',
    `git('init', '-q', '--bare', env.NOTES + '/remote.git');
    git('remote', 'add', 'origin', env.NOTES + '/remote.git'); git('add', '-A'); ${commit};
      git('push', '-q', 'origin', 'HEAD:refs/heads/main')`,
  ],
]

const drivers = [
  'filter.t.clean',
  'filter.t.smudge',
  'filter.t.process',
  'diff.t.textconv',
  'diff.t.command',
  'merge.t.driver',
  'diff.external',
]
const programs = [
  'alias.add',
  'core.editor',
  'core.pager',
  'gpg.program',
  'core.askPass',
  'core.sshCommand',
  'credential.helper',
  'uploadpack.packObjectsHook',
]

const hiddenCommands: [name: string, coder: string][] = [
  ['hooks in the clone', `const hooks = '.git/hooks'; ${allHooks}`],
  [
    'hooks in a folder that the clone names',
    `const hooks = env.NOTES + '/hooks'; ${allHooks};
    git('config', 'core.hooksPath', hooks)`,
  ],
  ['a file system monitor', `git('config', 'core.fsmonitor', env.NOTES + '/trap')`],
  [
    'filters',
    `write('.gitattributes', '*.mjs filter=t diff=t merge=t\\n');
    for (const key of ${JSON.stringify(drivers)}) git('config', key, env.NOTES + '/trap')`,
  ],
  [
    'aliases, editors, pagers, signers and askpass',
    `for (const key of ${JSON.stringify(programs)}) git('config', key, env.NOTES + '/trap')
git('config', 'commit.gpgSign', 'true')`,
  ],
  [
    'an included config',
    `write(env.NOTES + '/more', '[core]\\n\\tfsmonitor = ' + env.NOTES + '/trap\\n\\thooksPath = ' + env.NOTES + '\\n');
    git('config', 'include.path', env.NOTES + '/more')`,
  ],
]

const cases: HostileCase[] = [
  ...inClone.map(([name, coder]): HostileCase => ({
    name,
    coder: `${addMul()}\n${coder}`,
    expected: 'completed',
    after: (judged) => (judged.landed.includes('.gitattributes') ? undefined : addsMul(judged)),
  })),
  ...hiddenCommands.map(([name, coder]): HostileCase => ({
    name: `${name}: nothing of it is run`,
    coder: `${trap}\n${addMul()}\n${coder}`,
    expected: 'completed',
  })),
  {
    name: "commands in the checkout's own config and hooks: nothing of it is run by the run",
    expected: 'completed',
    changes: ['repo/.git/'],
    confined: { why: 'the agent ends with an error because the checkout is hidden', expected: 'failed' },
    coder: `${trap}\n${addMul()}
write('.gitattributes', '*.mjs filter=t\\n')
const keys = ['filter.t.clean', 'filter.t.smudge', 'core.fsmonitor']
for (const key of keys) git('-C', checkout, 'config', key, env.NOTES + '/trap')
const hooks = checkout + '/.git/hooks'; ${allHooks}
fs.appendFileSync(checkout + '/.git/info/attributes', '* filter=t\\n')`,
    before: (project) => {
      mkdirSync(join(project.root, '.git/info'), { recursive: true })
    },
  },
  {
    name: 'stashes of two tasks at the same time stay apart',
    tasks: two,
    expected: 'completed',
    config: { parallel: 2 },
    coder: `write(task + '.txt', task); git('add', '-A'); git('stash', '-q'); await meet('stashed', 2);
      git('stash', 'pop', '-q')`,
    after: adds('T001.txt', 'T002.txt'),
  },
  {
    name: 'a stash pop finds no stash of the user',
    before: stashOfTheUser,
    expected: 'completed',
    coder: `note('popped', String(tryGit('stash', 'pop'))); tryGit('stash', 'drop'); tryGit('stash', 'clear');
      ${addMul()}`,
    after: addsMul,
  },
  {
    name: 'branches, tags and the work of another task are out of reach by name',
    tasks: two,
    expected: 'completed',
    config: { parallel: 2 },
    coder: `write(task + '.txt', task); git('add', '-A'); ${commit}; git('branch', '-f', 'shared');
      git('tag', '-f', 'shared'); await meet('committed', 2)
for (const ref of refs('refs')) tryGit('update-ref', ref, 'HEAD')`,
    after: adds('T001.txt', 'T002.txt'),
  },
  {
    name: 'clearing away unreachable objects harms no other task',
    tasks: two,
    expected: 'completed',
    config: { parallel: 2 },
    coder: `write(task + '.txt', task); git('add', '-A'); await meet('staged', 2); git('gc', '-q', '--prune=now');
      git('prune', '--expire=now')`,
    after: adds('T001.txt', 'T002.txt'),
  },
  {
    name: 'a sparse checkout takes nothing off the branch unseen',
    expected: 'failed',
    coder: `${addMul()}\ngit('sparse-checkout', 'set', '--no-cone', '/lib/')`,
    after: ({ landed }) => expect(landed).toContain('check.mjs'),
  },
  {
    name: 'a clone inside the work tree lands as plain files',
    expected: 'completed',
    coder: `${addMul()}\nsh('git init -q vendor && echo x > vendor/x.txt && cd vendor && ${commitAll}')`,
    after: adds('lib/mul.mjs', 'test/mul.mjs', 'vendor/x.txt'),
  },
  {
    name: 'a submodule that only this clone has lands in full or not at all',
    expected: 'completed',
    coder: `${addMul()}\nsh('git init -q ' + env.NOTES + '/inner && cd ' + env.NOTES + '/inner && echo x > x.txt && ${commitAll}')
fs.mkdirSync('vendor'); fs.cpSync(env.NOTES + '/inner', 'vendor/inner', { recursive: true })
write('test/vendor.mjs', "import fs from 'node:fs'\\nfs.readFileSync('vendor/inner/x.txt')\\n")`,
  },
]

test.each(cases)('$name', async (hostile) => void (await playCase(hostile)))

// Without this the cases above would prove nothing. In the sandbox, no agent can push to the checkout.
if (usualSandbox === 'off') {
  test('what an agent pushed, fetched or set in the checkout by its path is seen by the judge', async () => {
    const hostile: HostileCase = {
      name: '',
      expected: 'completed',
      changes: ['refs/tags/planted'],
      coder: `${addMul()}\ngit('push', '-q', checkout, 'HEAD:refs/tags/planted')`,
    }
    const { project } = await playCase(hostile)
    expect(execFileSync('git', ['-C', project.root, 'tag'], { encoding: 'utf8' })).toBe('planted\n')
  })
}

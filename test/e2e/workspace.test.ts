/**
 * Git as people really have it, and files as agents really leave them: what lands is what was made, and nothing else is
 * touched.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { beside, call, listening, noted, obeyed, ownAgent, projects, received, turns } from '../kit/outside.ts'
import { cooperative, type Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const program = resolve(import.meta.dirname, '../../bin/looper.js')
const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never
const limits = { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 }
const quick = { review: false, limits }
const only = `if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'only' }] })\n`
const shell = `const { execFileSync } = await import('node:child_process')\nconst sh = (line) => execFileSync('sh', ['-c', line], { encoding: 'utf8' })\n`
const branch = 'looper/001-make-two-files'
const names = (project: Project, ref: string): string[] =>
  project
    .git('ls-tree', '-r', '-z', '--name-only', ref)
    .split('\0')
    .filter((name) => name !== '')

describe.concurrent('the user’s git', () => {
  test('hooks that fail and signing that cannot work do not matter, to a run and to apply', async () => {
    const project = create({ config: { ...quick, checks: ['test ! -e hook-ran'] } })
    const log = join(project.notes, 'hooks')
    for (const hook of [
      'pre-commit',
      'commit-msg',
      'prepare-commit-msg',
      'post-commit',
      'post-checkout',
      'pre-merge-commit',
      'post-merge',
      'reference-transaction',
      'post-index-change',
      'pre-auto-gc',
      'post-rewrite',
    ]) {
      project.write(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> '${log}'\nexit 1\n`)
      execFileSync('chmod', ['+x', join(project.root, '.git/hooks', hook)])
    }
    for (const [name, value] of [
      ['commit.gpgSign', 'true'],
      ['tag.gpgSign', 'true'],
      ['gpg.program', '/bin/false'],
      ['merge.ff', 'only'],
      ['core.fsmonitor', '/bin/false'],
      ['diff.external', '/bin/false'],
      ['core.pager', 'false'],
    ] as const) {
      project.git('config', name, value)
    }
    expect(await project.looper('run', 'make two files', '--apply')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^! your git hooks \(pre-commit, [^\n]+\) do not run [^\n]+\n$/),
    })
    expect(noted(project, 'hooks')).toEqual([])
    expect(project.git('log', '--format=%s%d', '-1')).toContain('HEAD -> main')
    expect(project.git('-c', 'core.fsmonitor=false', 'status', '--porcelain')).toBe('?? .looper/')
    expect(project.read('T002.txt')).toContain('T002')
    const diff = await project.looper('diff')
    expect(diff).toMatchObject({ code: 0, stdout: expect.stringContaining('+made by T002') })
  })

  test('no identity configured: commits are made all the same', async () => {
    const project = create({ config: quick })
    const bare = {
      GIT_AUTHOR_NAME: undefined,
      GIT_AUTHOR_EMAIL: undefined,
      GIT_COMMITTER_NAME: undefined,
      GIT_COMMITTER_EMAIL: undefined,
    }
    project.git('config', 'user.useConfigOnly', 'true')
    expect(await call(project, ['run', 'make two files'], { env: bare })).toMatchObject({ code: 0, stderr: '' })
    expect(project.git('log', '--format=%an <%ae>', '-1', branch)).toMatch(/.+ <.+>/)
    const message = project.git('log', '--format=%B', '-1', branch)
    expect(message).toMatch(/^two\n\n[^]*Looper-Run: 001-make-two-files\nLooper-Task: T002\n/)
  })

  test('a submodule: its files are there, its link stays, and a commit made inside it is kept', async () => {
    const project = create({
      config: { ...quick, checks: ['test -e lib/inner.txt'] },
      agent: `${shell}
if (role === 'planner') { note('lib', fs.readFileSync('lib/inner.txt', 'utf8')); answer({ tasks: [{ id: 'T001', title: 'outer' }, { id: 'T002', title: 'inner', dependsOn: ['T001'] }] }) }
if (task === 'T001') { write('outer.txt', fs.readFileSync('lib/inner.txt', 'utf8')); answer({ status: 'complete' }) }
if (task === 'T002') { sh('cd lib && echo more >> inner.txt && git -c user.name=x -c user.email=x@x commit -qam more'); answer({ status: 'complete' }) }`,
    })
    const inner = join(dirname(project.root), 'inner')
    mkdirSync(inner)
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
        cwd: inner,
        encoding: 'utf8',
      }).trim()
    git('init', '-q')
    writeFileSync(join(inner, 'inner.txt'), 'from within\n')
    git('add', '-A')
    git('commit', '-q', '-m', 'inner')
    project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'lib')
    project.git('commit', '-q', '-m', 'with a submodule')
    const link = git('rev-parse', 'HEAD')
    const { code, stderr } = await project.looper('run', 'make two files')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(noted(project, 'lib')).toEqual(['from within'])
    expect(project.git('ls-tree', `${branch}~1`, 'lib')).toContain(`160000 commit ${link}`)
    const moved = /commit ([0-9a-f]+)/.exec(project.git('ls-tree', branch, 'lib'))?.[1] ?? ''
    expect(moved).not.toBe(link)
    expect(project.git('-C', 'lib', 'cat-file', '-t', moved)).toBe('commit')
    expect(project.git('status', '--porcelain')).toBe('?? .looper/')
  })

  test('several runs at once in one repository do not disturb each other', async () => {
    const project = create({ config: { ...quick, limits: { ...limits, attempts: 3 } } })
    const goals = ['one', 'two', 'three', 'four']
    const ended = await Promise.all(goals.map((goal) => project.looper('run', goal)))
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(goals.map(() => ({ code: 0, stderr: '' })))
    const runs = JSON.parse((await project.looper('runs', '--json')).stdout) as { id: string; status: string }[]
    expect(runs.map(({ id }) => id.slice(0, 3)).toSorted()).toEqual(['001', '002', '003', '004'])
    for (const { id, status } of runs)
      expect([status, ...names(project, `looper/${id}`)]).toEqual(['completed', 'README.md', 'T001.txt', 'T002.txt'])
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  })

  test.each(['an odd path', 'a linked worktree', 'a shallow clone', 'SHA-256 objects', 'a merge under way'])(
    'a repository with %s',
    async (kind) => {
      const project = create({ config: quick, files: { 'a.txt': '1\n' } })
      const where = kind === 'a merge under way' ? project.root : join(dirname(project.root), `it's "my" répo; $HOME *`)
      const git = (...args: string[]): string =>
        execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
          cwd: existsSync(where) ? where : project.root,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        }).trim()
      if (kind === 'an odd path') git('clone', '-q', project.root, where)
      if (kind === 'a linked worktree') git('worktree', 'add', '-q', '-b', 'linked', where)
      if (kind === 'a shallow clone') git('clone', '-q', '--depth', '1', `file://${project.root}`, where)
      if (kind === 'SHA-256 objects') {
        git('init', '-q', '-b', 'main', '--object-format=sha256', where)
        writeFileSync(join(where, 'README.md'), '# test')
        git('add', 'README.md')
        git('commit', '-q', '-m', 'start')
      }
      if (kind === 'a merge under way') {
        for (const [branchName, text] of [
          ['other', '2\n'],
          ['main', '3\n'],
        ] as const) {
          git('checkout', '-q', '-B', branchName, 'main')
          project.write('a.txt', text)
          git('commit', '-qam', text)
          if (branchName === 'other') git('branch', '-f', 'main', 'HEAD~1')
        }
        expect(() => git('merge', 'other')).toThrow()
      } else if (!existsSync(join(where, '.looper'))) {
        mkdirSync(join(where, '.looper'))
        writeFileSync(join(where, '.looper/config.json'), project.read('.looper/config.json'))
      }
      const before = git('status', '--porcelain')
      expect(await call(project, ['run', 'make two files'], { cwd: where })).toMatchObject({ code: 0, stderr: '' })
      expect(git('status', '--porcelain')).toBe(before)
      const applied = await call(project, ['apply'], { cwd: where })
      expect(applied).toMatchObject(
        kind === 'a merge under way'
          ? { code: 1, stderr: expect.stringContaining('MERGE_HEAD') }
          : { code: 0, stderr: '' },
      )
      expect(existsSync(join(where, 'T002.txt'))).toBe(applied.code === 0)
    },
  )

  test('a branch that is called looper is in the way, until it is renamed', async () => {
    const project = create({ config: quick })
    project.git('branch', 'looper')
    expect(await project.looper('run', 'make two files')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('git branch -m looper'),
    })
    project.git('branch', '-m', 'looper', 'mine')
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
  })

  test('numbers of runs whose folder is gone are not given twice, and the card tells the real one', async () => {
    const project = create({ config: quick })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    execFileSync('rm', ['-rf', join(project.root, '.looper/runs')])
    const again = await project.looper('run', 'make two files')
    expect(again.code).toBe(0)
    const { id, branch: next } = await project.status()
    expect([id, next]).toEqual(['002-make-two-files', 'looper/002-make-two-files'])
    expect(again.stdout.split('\n').filter((line) => line.includes('001-make-two-files'))).toEqual([])
    expect(names(project, branch)).toEqual(names(project, next))
  })
})

describe.concurrent('files as they come', () => {
  const odd = [
    'with space.txt',
    'ünï–código 漢字.txt',
    'new\nline.txt',
    '-dash.txt',
    '"quoted".txt',
    'glob*?[x].txt',
    'back\\slash.txt',
    'tab\there.txt',
    ':colon.txt',
    '.hidden',
    'esc\u001B[31m.txt',
  ]
  test('odd names, links, modes, deletions, renames, binaries: all land, and nothing but them', async () => {
    const project = create({
      config: { ...quick, checks: ['true'] },
      files: {
        'old.txt': 'one\ntwo\nthree\nfour\n',
        'unwanted.txt': 'x',
        'tool.sh': '#!/bin/sh\n',
        'becomes-folder': 'x',
        'folder/a': 'x',
        '.gitignore': 'ignored/\n*.log\n',
        'crlf.txt': 'a\r\nb\r\n',
      },
      agent: `${shell}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'odd' }, { id: 'T002', title: 'look', dependsOn: ['T001'] }] })
if (task === 'T001') {
  for (const name of ${JSON.stringify(odd)}) write(name, 'content of ' + name)
  fs.writeFileSync(Buffer.from([0x66, 0xff, 0x2e, 0x74]), 'not even UTF-8')
  fs.renameSync('old.txt', 'moved to.txt')
  fs.rmSync('unwanted.txt')
  fs.chmodSync('tool.sh', 0o755)
  fs.rmSync('becomes-folder'); write('becomes-folder/inside', 'x')
  fs.rmSync('folder', { recursive: true }); write('folder', 'now a file')
  fs.symlinkSync('moved to.txt', 'link'); fs.symlinkSync('/etc/passwd', 'outside'); fs.symlinkSync('nowhere/at/all', 'dangling')
  fs.writeFileSync('binary.bin', Buffer.from([0, 1, 2, 255, 254, 10, 13, 0]))
  fs.mkdirSync('empty')
  write('ignored/x', 'x'); write('debug.log', 'x'); write('to-do.json', '{}')
  fs.writeFileSync('latin1.txt', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x0a]))
  write('.looper/runs/evil', 'x'); write('crlf.txt', 'a\\r\\nb\\r\\nc\\r\\n')
  answer({ status: 'complete' })
}
if (task === 'T002') {
  note('seen', JSON.stringify({ names: fs.readdirSync('.').toSorted(), outside: fs.readlinkSync('outside'), mode: (fs.statSync('tool.sh').mode & 0o111) !== 0, crlf: fs.readFileSync('crlf.txt', 'utf8') }))
  sh('git add -A; git -c user.name=x -c user.email=x@x commit -qm mine --allow-empty; git checkout -q -b elsewhere; rm -rf .git')
  write('second.txt', 'x'); answer({ status: 'complete' })
}`,
    })
    const { code, stderr } = await project.looper('run', 'make two files')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const landed = execFileSync('git', ['ls-tree', '-r', '-z', '--name-only', branch], { cwd: project.root })
      .toString('latin1')
      .split('\0')
      .filter((name) => name !== '')
    const expected = [
      ...odd,
      '.gitignore',
      'README.md',
      'becomes-folder/inside',
      'binary.bin',
      'crlf.txt',
      'dangling',
      'folder',
      'latin1.txt',
      'link',
      'moved to.txt',
      'outside',
      'second.txt',
      'tool.sh',
    ].map((name) => Buffer.from(name).toString('latin1'))
    expect(landed.toSorted()).toEqual([...expected, 'f\u00FF.t'].toSorted())
    for (const name of odd) expect(project.git('show', `${branch}:${name}`)).toBe(`content of ${name}`)
    const modes = Object.fromEntries(
      project
        .git('ls-tree', branch)
        .split('\n')
        .map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, 6)]),
    )
    expect(modes).toMatchObject({
      'tool.sh': '100755',
      link: '120000',
      outside: '120000',
      dangling: '120000',
      folder: '100644',
    })
    expect(project.git('show', `${branch}:outside`)).toBe('/etc/passwd')
    const seen = JSON.parse(noted(project, 'seen').join('')) as { names: string[]; mode: boolean; crlf: string }
    expect(seen).toMatchObject({ mode: true, crlf: 'a\r\nb\r\nc\r\n' })
    expect(seen.names).toEqual(expect.arrayContaining(odd))
    expect(project.git('status', '--porcelain')).toBe('?? .looper/')
    expect(project.git('branch', '--list', '--format=%(refname:short)').split('\n')).not.toContain('mine')

    const shown = await call(project, ['diff', '--no-color'], { terminal: true })
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('+content of with space.txt') })
    expect(obeyed(shown.stdout.replaceAll('\r\n', '\n').replaceAll('\t', ''))).toEqual([])
    // In a pipe it is a patch that brings exactly the same tree about.
    const copy = join(dirname(project.root), 'copy')
    project.git('worktree', 'add', '-q', '--detach', copy, 'main')
    const piped = `'${process.execPath}' '${program}' diff | git -C '${copy}' apply --index -`
    execFileSync('sh', ['-c', piped], { cwd: project.root, env: { ...process.env, HOME: dirname(project.root) } })
    expect(project.git('-C', copy, 'write-tree')).toBe(project.git('rev-parse', `${branch}^{tree}`))
    project.git('worktree', 'remove', '--force', copy)
    expect(await call(project, ['diff', '--stat'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('tool.sh'),
    })
    expect(await call(project, ['apply'])).toMatchObject({ code: 0, stderr: '' })
    for (const name of odd) expect(project.read(name)).toBe(`content of ${name}`)
    expect(readlinkSync(join(project.root, 'outside'))).toBe('/etc/passwd')
    expect(statSync(join(project.root, 'tool.sh')).mode & 0o111).not.toBe(0)
    expect(lstatSync(join(project.root, 'folder')).isFile()).toBe(true)
    expect(existsSync(join(project.root, 'unwanted.txt'))).toBe(false)
    expect(project.git('status', '--porcelain')).toBe('?? .looper/')
  })

  test('only to-do.json changed, only ignored files made: that is nothing', async () => {
    const project = create({
      config: quick,
      files: { '.gitignore': '*.log\n' },
      agent: `${only}if (role === 'coder') { write('to-do.json', '{}'); write('x.log', 'x'); answer({ status: 'complete' }) }`,
    })
    expect(await project.looper('run', 'nothing')).toMatchObject({ code: 1 })
    expect(found(project, 'attempt.failed')).toMatchObject([{ failure: { kind: 'no-change' } }])
  })
})

describe.concurrent('set-up and copies', () => {
  test('what set-up makes and what is copied is in every workspace and in no commit', async () => {
    const project = create({
      files: { 'tracked.txt': 'x' },
      agent: `${listening}
if (role !== 'supervisor') note('seen', role + ' ' + ['.env', 'vendor/lib.txt', 'certs/a/b.pem', 'built.txt'].map((name) => fs.existsSync(name) ? fs.readFileSync(name, 'utf8').trim() : '-').join())
${cooperative}`,
    })
    project.write('.env', 'KEY=1\n')
    project.write('certs/a/b.pem', 'pem\n')
    project.configure({
      ...quick,
      workspace: {
        copy: ['.env', 'certs', 'not-there'],
        setup: [
          'mkdir -p vendor && echo installed > vendor/lib.txt',
          'cat .env > built.txt; echo changed > tracked.txt',
        ],
      },
    })
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(0)
    expect(stdout).toMatch(/setup .*mkdir/)
    expect(new Set(noted(project, 'seen'))).toEqual(
      new Set(['planner KEY=1,-,pem,-', 'coder KEY=1,installed,pem,KEY=1']),
    )
    expect(names(project, branch)).toEqual(['README.md', 'T001.txt', 'T002.txt', 'tracked.txt'])
    expect(project.git('show', `${branch}:tracked.txt`)).toBe('x')
  })

  test('set-up is discovered from the lock file', async () => {
    const lock = {
      name: 'x',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: { '': { name: 'x', version: '1.0.0' } },
    }
    const manifest = {
      name: 'x',
      version: '1.0.0',
      scripts: { prepare: "node -e \"require('fs').writeFileSync('prepared.txt', '')\"" },
    }
    const project = create({
      config: quick,
      files: { 'package.json': JSON.stringify(manifest), 'package-lock.json': JSON.stringify(lock) },
      agent: `if (role === 'coder') note('prepared', String(fs.existsSync('prepared.txt')))\n${cooperative}`,
    })
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(0)
    expect(stdout).toMatch(/setup +npm ci/)
    expect(noted(project, 'prepared')).toEqual(['true', 'true'])
    expect(names(project, branch)).toEqual(['README.md', 'T001.txt', 'T002.txt', 'package-lock.json', 'package.json'])
  })

  test('a set-up that fails: paused, exit 3, one clear line; after a fix, resume continues', async () => {
    const project = create({ agent: `${listening}${cooperative}` })
    project.configure({ ...quick, workspace: { setup: ['echo "no route to registry" >&2; exit 7'] } })
    const { code, stdout, stderr } = await project.looper('run', 'make two files')
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    expect(stdout).toMatch(/paused.*exit code 7.*no route to registry/)
    expect(turns(project).filter((turn) => !turn.startsWith('plan/'))).toEqual([])
    expect(await project.status()).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining('no route to registry'),
    })
    expect(stdout).toMatch(/looper resume \S+ --settings +continues it with the new settings/)
    project.configure({ ...quick, workspace: { setup: [] } })
    expect(await project.looper('resume', '--settings')).toMatchObject({ code: 0, stderr: '' })
  })

  test('a copy that is a link out of the repository is refused', async () => {
    const project = create({ config: { ...quick, workspace: { copy: ['leak'] } } })
    execFileSync('ln', ['-s', '/etc/passwd', join(project.root, 'leak')])
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(3)
    expect(stdout).toContain('leak')
  })
})

describe.concurrent('afterwards', () => {
  test('diff, apply, apply again, discard', async () => {
    const project = create({ config: quick })
    await project.looper('run', 'make two files')
    const head = project.git('rev-parse', 'HEAD')
    expect(await project.looper('diff')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\+made by T001[^]*\+made by T002/),
    })
    project.write('mine.txt', 'uncommitted')
    expect(await project.looper('apply')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('2 files'),
    })
    expect(project.git('rev-parse', 'HEAD')).toBe(project.git('rev-parse', branch))
    expect(project.git('rev-parse', 'ORIG_HEAD')).toBe(head)
    expect(project.read('mine.txt')).toBe('uncommitted')
    const commit = project.git('rev-parse', 'HEAD')
    expect(await project.status()).toMatchObject({
      status: 'completed',
      applied: { commit, onto: 'main' },
      discardedAt: null,
    })
    expect((await project.looper('status')).stdout).toContain(`completed · applied to main at ${commit.slice(0, 8)}`)
    expect(await project.looper('apply')).toMatchObject({ code: 0, stdout: expect.stringContaining('already') })
    expect(await project.looper('discard')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    expect(await project.looper('discard', '--yes')).toMatchObject({ code: 0 })
    expect(project.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
    expect(await project.looper('status', '--json')).toMatchObject({ code: 0 })
    expect(await project.looper('diff')).toMatchObject({ code: 2, stderr: expect.stringContaining('was discarded') })
    expect(await project.looper('discard', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no branch'),
    })
    const told = project.events().slice(-3)
    expect(told).toMatchObject([
      { type: 'run.ended' },
      { type: 'run.applied', commit, onto: 'main' },
      { type: 'run.discarded', commit },
    ])
    for (const report of [(await project.looper('report')).stdout, project.read('.looper/runs/last/report.md')]) {
      expect(report).toMatch(/It was applied to main at [^]*It was discarded/)
    }
    expect(await project.looper('replay')).toMatchObject({ code: 0, stdout: expect.stringContaining('none differs') })
    expect(await project.looper('stats', '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/"completed": 1/),
    })
    expect(await project.looper('fork', '--at', 'last')).toMatchObject({ code: 0, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'paused', applied: null, discardedAt: null })
  })

  test('a branch merged by hand counts as applied once Looper is asked', async () => {
    const project = create({ config: quick })
    await project.looper('run', 'make two files')
    project.git('checkout', '--quiet', '--detach')
    project.git('merge', '--quiet', branch)
    expect(await project.looper('apply')).toMatchObject({ code: 0, stdout: expect.stringContaining('already') })
    expect(await project.looper('apply')).toMatchObject({ code: 0, stdout: expect.stringContaining('already') })
    const commit = project.git('rev-parse', 'HEAD')
    expect(project.events().slice(-2)).toMatchObject([
      { type: 'run.ended' },
      { type: 'run.applied', commit, onto: null },
    ])
  })

  test('a run that never started can be neither taken over nor thrown away', async () => {
    const project = create({ config: quick })
    project.write('.looper/runs/001-make-two-files/inbox/.keep', '')
    for (const words of [['apply'], ['discard', '--yes']]) {
      expect(await project.looper(...words)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('never started'),
      })
    }
  })

  test('apply merges with what the user did meanwhile, and changes nothing when it cannot', async () => {
    const project = create({
      config: quick,
      files: { 'shared.txt': '1\n' },
      agent: `${only}if (role === 'coder') { write('T001.txt', 'x'); write('shared.txt', 'theirs\\n'); answer({ status: 'complete' }) }`,
    })
    await project.looper('run', 'make two files')
    project.write('T001.txt', 'the only copy')
    const inTheWay = await project.looper('apply')
    expect(inTheWay).toMatchObject({ code: 1, stderr: expect.stringContaining('T001.txt') })
    execFileSync('rm', [join(project.root, 'T001.txt')])
    project.write('shared.txt', 'dirty\n')
    expect(await project.looper('apply')).toMatchObject({ code: 1, stderr: expect.stringContaining('shared.txt') })
    expect(project.read('shared.txt')).toBe('dirty\n')
    project.git('commit', '-qam', 'ours')
    const head = project.git('rev-parse', 'HEAD')
    const conflict = await project.looper('apply')
    expect(conflict).toMatchObject({ code: 1, stderr: expect.stringMatching(/shared\.txt[^]*git merge/) })
    expect(project.git('rev-parse', 'HEAD')).toBe(head)
    expect(project.git('status', '--porcelain')).toBe('?? .looper/')
    project.git('reset', '-q', '--hard', 'HEAD~1')
    project.write('other.txt', 'x')
    project.git('add', 'other.txt')
    project.git('commit', '-qm', 'elsewhere')
    expect(await project.looper('apply')).toMatchObject({ code: 0, stdout: expect.stringContaining('merge') })
    expect(project.git('rev-list', '--parents', '-1', 'HEAD').split(' ')).toHaveLength(3)
    expect([project.read('shared.txt'), project.read('other.txt')]).toEqual(['theirs\n', 'x'])
  })

  test('--apply: only a completed run is applied, and one that cannot be is exit 1', async () => {
    const failing = create({ config: { ...quick, checks: ['false'], baseline: 'off' } })
    expect(await failing.looper('run', 'make two files', '--apply')).toMatchObject({ code: 1 })
    expect(failing.git('rev-parse', 'HEAD')).toBe(failing.git('rev-parse', 'main'))
    expect(existsSync(join(failing.root, 'T001.txt'))).toBe(false)

    const applied = create({ config: quick })
    const { stdout: told } = await applied.looper('run', 'make two files', '--apply', '--json')
    expect(told === applied.read('.looper/runs/last/events.jsonl')).toBe(true)
    expect(applied.events().at(-1)).toMatchObject({ type: 'run.applied', commit: applied.git('rev-parse', 'main') })

    const blocked = create({ config: quick })
    blocked.write('T001.txt', 'mine')
    const { code, stdout } = await blocked.looper('run', 'make two files', '--apply')
    expect(code).toBe(1)
    expect(stdout).toMatch(/applied +no.*T001\.txt/)
    expect(blocked.events().at(-1)).toMatchObject({ type: 'run.ended' })
    expect(blocked.read('T001.txt')).toBe('mine')
    expect(await blocked.status()).toMatchObject({ status: 'completed' })
  })
})

describe.concurrent('in place', () => {
  const inPlace = (more: object = {}): Record<string, unknown> => ({
    ...quick,
    checks: ['test ! -e broken.txt'],
    workspace: { mode: 'in-place', ...more },
  })

  test('without commits: agents work in the checkout, HEAD and index stay', async () => {
    const project = create({
      config: inPlace({ commit: false }),
      agent: `note('pwd', process.cwd())\nif (role === 'coder') write('README.md', task)\n${cooperative}`,
    })
    project.write('mine.txt', 'untracked')
    const head = project.git('rev-parse', 'HEAD')
    const { code, stdout, stderr } = await project.looper('run', 'make two files')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/in place/)
    expect(new Set(noted(project, 'pwd'))).toEqual(new Set([project.root]))
    expect(project.git('rev-parse', 'HEAD')).toBe(head)
    expect(project.git('status', '--porcelain').split('\n').toSorted()).toEqual([
      ' M README.md',
      '?? .looper/',
      '?? T001.txt',
      '?? T002.txt',
      '?? mine.txt',
    ])
    expect(project.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
    expect(await project.status()).toMatchObject({ branch: 'main', tasks: [{ evidence: [{ exitCode: 0 }] }, {}] })
    const { stdout: diff } = await project.looper('diff')
    for (const line of ['-# test', '+T002', '+made by T001', '+made by T002']) expect(diff.split('\n')).toContain(line)
    expect(await project.looper('discard', '--yes')).toMatchObject({ code: 2 })
    expect(project.read('T001.txt')).toContain('T001')
  })

  test('with commits: one for each task on the user’s branch, and none of their own files in it', async () => {
    const project = create({
      config: inPlace({ commit: true }),
      files: { 'gone.txt': 'x' },
      agent: `if (task === 'T001') { fs.rmSync('gone.txt'); write('folder/deep.txt', 'x') }\n${cooperative}`,
    })
    project.write('mine.txt', 'untracked')
    project.git('config', 'commit.gpgSign', 'true')
    project.git('config', 'gpg.program', '/bin/false')
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    expect(project.git('log', '--format=%s')).toBe('two\none\nstart')
    expect(await project.looper('diff', '--stat')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/T001\.txt[^]*gone\.txt/),
    })
    expect(names(project, 'HEAD')).toEqual(['README.md', 'T001.txt', 'T002.txt', 'folder/deep.txt'])
    expect(project.git('status', '--porcelain').split('\n').toSorted()).toEqual(['?? .looper/', '?? mine.txt'])
    expect(project.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
  })

  test('with checks off, "changed nothing" is not tested; with checks it is', async () => {
    const idle = `${only}if (role === 'coder') answer({ status: 'complete' })`
    const off = create({
      config: { ...quick, checks: [], workspace: { mode: 'in-place', commit: false } },
      agent: idle,
    })
    expect(await off.looper('run', 'nothing')).toMatchObject({ code: 0 })
    expect(await off.status()).toMatchObject({ status: 'completed', tasks: [{ status: 'done', evidence: [] }] })
    const on = create({ config: inPlace(), agent: idle })
    expect(await on.looper('run', 'nothing')).toMatchObject({ code: 1 })
  })
})

describe.concurrent('read-only roles', () => {
  const scribbling = `
const scribble = () => { write('README.md', 'scribbled by ' + role); write(role + '-was-here.txt', 'x'); fs.rmSync('keep.txt', { force: true }); fs.chmodSync('tool.sh', 0o755) }
`
  test('planner, tester and supervisor who edit are caught, and all of it is put back', async () => {
    const project = create({
      files: { 'keep.txt': 'keep', 'tool.sh': 'x' },
      config: { checks: ['grep -q test README.md && test -e keep.txt && test ! -x tool.sh'], limits },
      agent: `${scribbling}
if (role === 'coder') note('seen', task + ' ' + fs.readdirSync('.').filter((name) => name !== '.git').toSorted())
else scribble()
${cooperative}`,
    })
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(0)
    expect(names(project, branch)).toEqual(['README.md', 'T001.txt', 'T002.txt', 'keep.txt', 'tool.sh'])
    expect(project.git('show', `${branch}:README.md`)).toBe('# test')
    expect(noted(project, 'seen')).toEqual([
      'T001 README.md,keep.txt,tool.sh',
      'T002 README.md,T001.txt,keep.txt,tool.sh',
    ])
    const findings = found(project, 'finding.raised')
    expect(findings.map(({ title, task }) => `${task} ${title.split(' ')[0]}`).toSorted()).toEqual([
      'T001 supervisor',
      'T001 tester',
      'T002 supervisor',
      'T002 tester',
      'null planner',
      'null supervisor',
      'null supervisor',
    ])
    for (const { detail } of findings)
      for (const file of ['README.md', 'keep.txt', 'tool.sh', '-was-here.txt']) expect(detail).toContain(file)
    expect(stdout).toMatch(/planner changed files/)
    expect(project.read('.looper/runs/last/report.md')).toContain('planner changed files')
  })

  test('also while splitting, and also when its answer was invalid', async () => {
    const project = create({
      files: { 'keep.txt': 'keep', 'tool.sh': 'x' },
      config: { ...quick, limits: { ...limits, splitDepth: 1 } },
      agent: `${listening}${scribbling}
if (role === 'planner') scribble()
if (purpose === 'plan') env.LOOPER_TURN === 'plan/r0' ? answer({ status: 'never' }) : answer({ tasks: [{ id: 'T001', title: 'x' }] })
if (purpose === 'split') answer({ tasks: [{ title: 'a' }, { title: 'b' }] })
if (task === 'T001' && role === 'coder') answer({ status: 'complete' })
else if (role === 'coder') { write(task + '.txt', fs.readdirSync('.').filter((name) => name !== '.git').toSorted().join()); answer({ status: 'complete' }) }`,
    })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    expect(names(project, branch)).toEqual(['README.md', 'T001.1.txt', 'T001.2.txt', 'keep.txt', 'tool.sh'])
    expect(project.git('show', `${branch}:README.md`)).toBe('# test')
    expect(found(project, 'finding.raised').map(({ task }) => task)).toEqual([null, 'T001'])
  })

  test('in place nothing is put back, and the message says so', async () => {
    const project = create({
      config: { ...quick, checks: ['true'], workspace: { mode: 'in-place', commit: false } },
      agent: `if (role === 'planner') write('scribble.txt', 'x')\n${cooperative}`,
    })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    expect(project.read('scribble.txt')).toBe('x')
    const [finding] = found(project, 'finding.raised')
    expect(finding).toMatchObject({ detail: expect.stringContaining('scribble.txt') })
    expect(finding?.detail).not.toMatch(/put back/i)
  })
})

describe.concurrent('agents where they lie', () => {
  test('a program of the repository is found, committed or not; its relative arguments too', async () => {
    const script =
      '#!/usr/bin/env python3\nimport json, os, sys\nsys.stdin.read()\nif os.environ["LOOPER_ROLE"] == "planner": print(json.dumps({"tasks": [{"title": "x"}]}))\nelse:\n    open("made.txt", "w").write(sys.argv[1] if len(sys.argv) > 1 else "")\n    print(json.dumps({"status": "complete"}))\n'
    const project = create({ files: { 'tools/agent.py': script } })
    project.write('local/agent.py', script)
    for (const [n, command] of [
      ['python3', 'tools/agent.py', 'a b'],
      ['python3', 'local/agent.py'],
      ['./local/agent.py'],
    ].entries()) {
      execFileSync('chmod', ['+x', join(project.root, 'local/agent.py')])
      project.write('.looper/config.json', JSON.stringify({ ...quick, checks: [], agents: { py: { command } } }))
      expect({ command, ...(await project.looper('run', 'make two files')) }).toMatchObject({
        command,
        code: 0,
        stderr: '',
      })
      expect(project.git('show', `looper/00${n + 1}-make-two-files:made.txt`)).toBe(command[2] ?? '')
    }
  })

  test('a program that vanishes during the run pauses it, and the run continues when it is back', async () => {
    const project = create({ config: quick })
    const other = beside(
      project,
      'other.sh',
      '#!/bin/sh\ncat > /dev/null\necho x > x.txt\necho "{\\"status\\":\\"complete\\"}"\n',
    )
    beside(
      project,
      'agent.mjs',
      `import fs from 'node:fs'\nfs.rmSync('${other}')\nconsole.log(JSON.stringify({ tasks: [{ title: 'x' }] }))\n`,
    )
    project.configure({
      ...quick,
      agent: 'own',
      agents: { own: ownAgent(project), other: { command: [other] } },
      roles: { coder: { agent: 'other' } },
    })
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(3)
    expect(stdout).toContain('other.sh')
    expect(await project.looper('resume')).toMatchObject({ code: 2, stderr: expect.stringContaining('other.sh') })
    beside(project, 'other.sh', '#!/bin/sh\ncat > /dev/null\necho x > x.txt\necho "{\\"status\\":\\"complete\\"}"\n')
    expect(await project.looper('resume')).toMatchObject({ code: 0 })
  })

  test('the next prompt of a task in place says that an earlier try was cut short', async () => {
    const project = create({
      config: { ...quick, checks: [], workspace: { mode: 'in-place', commit: false } },
      agent: `${listening}${only}
if (role === 'coder' && env.LOOPER_TURN === 'T001/a1/implement') process.exit(1)
if (role === 'coder') { write('x.txt', 'x'); answer({ status: 'complete' }) }`,
    })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    const [again] = turns(project).slice(-1)
    expect(received(project, again!.split(' ')[0]!)).toMatch(/cut short/)
    expect(readFileSync(join(project.root, 'x.txt'), 'utf8')).toBe('x')
  })
})

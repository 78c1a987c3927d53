import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxTool } from '../../../test/kit/bubblewrap.ts'
import { serviceExceptions } from './home-paths.ts'
import { createSandbox, type SandboxRequest, type SandboxSetting } from './sandbox.ts'

let top: string
let home: string
let checkout: string
let workspace: string

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'looper-sandbox-')))
  home = join(top, 'home')
  checkout = join(home, 'project')
  workspace = join(home, '.cache/looper/workspaces/1')
  put(join(checkout, 'README.md'), "the user's\n")
  git('init', '-q')
  git('add', '-A')
  git('commit', '-q', '-m', 'start')
  put(join(checkout, '.looper/runs/001/events.jsonl'), '{}\n')
  put(join(checkout, '.git/hooks/pre-push'), '')
  put(join(home, '.ssh/id_ed25519'), 'private key\n')
  put(join(home, '.netrc'), 'password\n')
  put(join(home, '.codex/auth.json'), 'token\n')
  put(join(home, '.profile'), 'plain\n')
  put(join(home, '.cache/looper/workspaces/2/other'), 'other\n')
  mkdirSync(dirname(workspace), { recursive: true })
  execFileSync('git', ['clone', '-q', '--shared', checkout, workspace], { stdio: 'ignore' })
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const who = {
  GIT_AUTHOR_NAME: 'T',
  GIT_AUTHOR_EMAIL: 't@localhost',
  GIT_COMMITTER_NAME: 'T',
  GIT_COMMITTER_EMAIL: 't@localhost',
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: checkout, encoding: 'utf8', env: { ...process.env, ...who } })
}

const setting = (more: Partial<SandboxSetting> = {}): SandboxSetting => ({
  tool: sandboxTool(),
  home,
  env: {},
  checkout,
  inPlace: false,
  git: { gitDir: join(checkout, '.git'), commonDir: join(checkout, '.git') },
  runDir: join(checkout, '.looper/runs/001'),
  workspaces: [join(home, '.cache/looper')],
  hidden: [join(home, '.codex')],
  readable: [],
  allow: [],
  ...more,
})

interface Tried {
  status: number | null
  said: string
}

/** Runs a shell line confined. */
function attempt(line: string, more: Partial<SandboxSetting> = {}, request: Partial<SandboxRequest> = {}): Tried {
  const {
    argv: [program, ...args],
    env,
  } = createSandbox(setting(more)).wrap({
    argv: ['sh', '-c', line],
    cwd: workspace,
    env: { PATH: process.env['PATH'], HOME: home, ...who },
    ...request,
  })
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: request.cwd ?? workspace, env, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

describe('a confined process', () => {
  test('writes to its workspace and to a temporary folder of its own', () => {
    const shared = join(tmpdir(), `looper-shared-${process.pid}`)
    expect(attempt(`echo made > file && echo tmp > ${shared} && cat ${shared} && echo $TMPDIR`)).toEqual({
      status: 0,
      said: 'tmp\n/tmp\n',
    })
    expect(readFileSync(join(workspace, 'file'), 'utf8')).toBe('made\n')
    expect(existsSync(shared)).toBe(false)
  })

  test.each([
    ['the home folder', () => join(home, '.profile')],
    ['the checkout', () => join(checkout, 'README.md')],
    ['the hooks of the repository', () => join(checkout, '.git/hooks/pre-push')],
    ['the objects of the repository', () => join(checkout, '.git/objects/planted')],
    ['the journal of a run', () => join(checkout, '.looper/runs/001/events.jsonl')],
    ['another workspace', () => join(home, '.cache/looper/workspaces/2/other')],
    ['the state of an agent', () => join(home, '.codex/auth.json')],
    ['a program', () => '/usr/bin/looper-planted'],
  ])('does not write to %s', (_what, path) => {
    const before = existsSync(path()) ? readFileSync(path(), 'utf8') : null
    expect(attempt(`echo planted >> '${path()}'`).status).not.toBe(0)
    expect(existsSync(path()) ? readFileSync(path(), 'utf8') : null).toBe(before)
  })

  test.each([
    ['a key', () => join(home, '.ssh/id_ed25519')],
    ['a password', () => join(home, '.netrc')],
    ['the checkout', () => join(checkout, 'README.md')],
    ['settings of the repository', () => join(checkout, '.git/config')],
    ['the state of an agent', () => join(home, '.codex/auth.json')],
  ])('does not read %s', (_what, path) => {
    expect(attempt(`cat '${path()}'`).status).not.toBe(0)
  })

  test.each([
    ['a key', () => join(home, '.ssh/id_ed25519')],
    ['the checkout', () => join(checkout, 'README.md')],
    ['the state of an agent', () => join(home, '.codex/auth.json')],
  ])('does not read %s because its command line names it', (_what, path) => {
    expect(attempt('', {}, { argv: ['cat', path()] }).status).not.toBe(0)
  })

  test('does not write to settings of the kernel', () => {
    // Writes the same value, so that a failure of the test does not change the machine.
    expect(
      attempt('value=$(cat /proc/sys/kernel/core_pattern) && echo "$value" > /proc/sys/kernel/core_pattern').status,
    ).not.toBe(0)
  })

  test('reaches no socket of a service', () => {
    const names = attempt('ls -A /run')
      .said.split('\n')
      .filter((name) => name !== '')
    expect(
      names
        .map((name) => `/run/${name}`)
        .filter((path) => !serviceExceptions.some((known) => `${known}/`.startsWith(`${path}/`))),
    ).toEqual([])
  })

  test.each(['package.json', '.npmrc', 'Makefile', 'node_modules/x/index.js', '.cargo/config.toml', 'new-tool/file'])(
    'leaves no %s in a cache folder above the workspaces',
    (name) => {
      put(join(home, '.cache/node_modules/y/index.js'), '')
      const file = join(home, '.cache', name)
      const plant = `mkdir -p '${dirname(file)}' && echo planted > '${file}' && cat '${file}'`
      expect(attempt(plant)).toEqual({ status: 0, said: 'planted\n' })
      expect(existsSync(file)).toBe(false)
      expect(attempt(`cat '${file}'`).status).not.toBe(0)
    },
  )

  test('shares what the folders of a cache hold, and finds links to folders', () => {
    put(join(home, '.cache/pip/wheel'), 'wheel\n')
    put(join(home, 'big disk/models/m'), 'model\n')
    symlinkSync(join(home, 'big disk/models'), join(home, '.cache/models'))
    expect(attempt('cat ~/.cache/pip/wheel ~/.cache/models/m && echo new > ~/.cache/pip/new')).toEqual({
      status: 0,
      said: 'wheel\nmodel\n',
    })
    expect(readFileSync(join(home, '.cache/pip/new'), 'utf8')).toBe('new\n')
    expect(attempt('echo new > ~/.cache/models/m').status).not.toBe(0)
  })

  test('leaves nothing above workspaces that are elsewhere in a cache', () => {
    const elsewhere = { env: { XDG_CACHE_HOME: join(home, 'data') }, workspaces: [join(home, 'data/a/looper')] }
    const [cwd, pip] = [join(home, 'data/a/looper/1'), join(home, 'data/pip')]
    for (const folder of [cwd, pip]) mkdirSync(folder, { recursive: true })
    expect(attempt('touch ../../x ../../../x ../../../pip/x', elsewhere, { cwd })).toEqual({ status: 0, said: '' })
    expect(['data/x', 'data/a/x', 'data/pip/x'].filter((path) => existsSync(join(home, path)))).toEqual(['data/pip/x'])
  })

  test('reads and writes what is allowed, even where it is hidden otherwise', () => {
    expect(attempt('cat ~/.netrc; echo new > ~/.codex/auth.json', { allow: ['~/.netrc', '~/.codex'] })).toEqual({
      status: 0,
      said: 'password\n',
    })
    expect(attempt('cat ~/.ssh/id_ed25519', { allow: ['~'] }).status).not.toBe(0)
  })

  test('commits in a clone that borrows the objects of the checkout', () => {
    expect(
      attempt('echo x > new && git add -A && git commit -q -m new && git log --oneline | wc -l && git stash list'),
    ).toEqual({ status: 0, said: '2\n' })
    expect(git('log', '--oneline').trim().split('\n')).toHaveLength(1)
  })

  test('sees no process of others, and leaves none', () => {
    const orphan = `: orphan of ${process.pid}`
    expect(
      attempt(`kill -0 ${process.pid} && exit 1; setsid env -i sh -c 'sleep 1000; ${orphan}' & exit 3`).status,
    ).toBe(3)
    expect(spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout).not.toContain(orphan)
  })

  test.each([
    ['exit 7', 7],
    ['kill -9 $$', 137],
    ['kill -15 $$', 143],
    ['exit 0', 0],
  ])('ends as it does: %s', (line, status) => {
    expect(attempt(line)).toEqual({ status, said: '' })
  })

  test('is not started where there is no such program', () => {
    const wrap = (argv: [string]): unknown =>
      createSandbox(setting()).wrap({ argv, cwd: workspace, env: { PATH: process.env['PATH'] } })
    expect(() => wrap(['looper-no-such-program'])).toThrow(expect.objectContaining({ code: 'ENOENT' }))
    expect(() => wrap([join(workspace, 'README.md')])).toThrow(expect.objectContaining({ code: 'EACCES' }))
  })

  test('is started from a script in the checkout, without seeing the rest of it', () => {
    put(join(checkout, 'agent.sh'), 'cat README.md; ls ..')
    put(join(checkout, 'tools/agent.sh'), '. "$(dirname "$0")/part.sh"')
    put(join(checkout, 'tools/part.sh'), 'echo part')
    const run = (...argv: [string, ...string[]]): Tried => attempt('', {}, { argv, opened: argv })
    expect(run('sh', join(checkout, 'agent.sh')).status).toBe(0)
    expect(run('sh', join(checkout, 'tools/agent.sh'))).toEqual({ status: 0, said: 'part\n' })
    expect(run('sh', '-c', `cat '${checkout}/README.md'`, join(checkout, 'agent.sh')).status).not.toBe(0)
  })

  test('keeps no way to sockets and displays in its environment, and a place for caches that do not exist', () => {
    const { env } = createSandbox(setting()).wrap({
      argv: ['true'],
      cwd: workspace,
      env: { PATH: process.env['PATH'], SSH_AUTH_SOCK: '/x', DBUS_SESSION_BUS_ADDRESS: 'y', LOOPER_MARK: 'm' },
    })
    expect(env).toMatchObject({ LOOPER_MARK: 'm', TMPDIR: '/tmp', npm_config_cache: '/tmp/.npm' })
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['SSH_AUTH_SOCK']))
    expect(env).not.toHaveProperty('XDG_CACHE_HOME')
  })
})

describe('in place', () => {
  const inPlace = (line: string): Tried => attempt(line, { inPlace: true }, { cwd: checkout })

  test('the checkout is writable, and git works in it', () => {
    expect(inPlace('echo x > new && git add -A && git commit -q -m new && git branch b')).toEqual({
      status: 0,
      said: '',
    })
    expect(git('log', '--oneline').trim().split('\n')).toHaveLength(2)
  })

  test.each([
    'echo planted >> .git/hooks/pre-push',
    'git config core.hooksPath /tmp',
    'mv .git .git2',
    'rm -rf .git/hooks',
    'mv .git/hooks .git/h2',
    'echo planted >> .looper/runs/001/events.jsonl',
    'mv .looper .looper2',
    'echo {} > .looper/config.json',
  ])('refused: %s', (line) => {
    expect(inPlace(line).status).not.toBe(0)
    expect(existsSync(join(checkout, '.git/hooks/pre-push'))).toBe(true)
    expect(readFileSync(join(checkout, '.looper/runs/001/events.jsonl'), 'utf8')).toBe('{}\n')
  })
})

describe('what an agent leaves for the next turn', () => {
  test('a link in the place of an allowed path inside another one leads nowhere new', () => {
    mkdirSync(join(home, 'shared'))
    symlinkSync(join(home, '.ssh'), join(home, 'shared/link'))
    expect(attempt('cat ~/shared/link/id_ed25519', { allow: ['~/shared'] }).status).not.toBe(0)
  })
})

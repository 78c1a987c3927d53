/**
 * Repositories in the shapes that people have, each with the programs of its machine. A program is a shell script that
 * prints what the real one prints in this situation, so that every machine plays the same cases.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Project } from '../kit/project.ts'

export interface Repository {
  name: string
  files: Record<string, string>
  config?: Record<string, unknown>
  /** Scripts in PATH, besides the basic programs, git and Node. */
  programs?: Record<string, string>
  /** What the user does before the run. */
  prepare?(project: Project): void
  /** Pauses before the first coder, and the first two lines of the message name this; null: a helpful agent completes. */
  cause: RegExp | null
  /** What the message offers as the way out. */
  remedy?: RegExp
}

const manifest = (more: object): string => `${JSON.stringify({ name: 'app', version: '1.0.0', ...more }, null, 2)}\n`
const says = (code: number, ...lines: string[]): string =>
  [...lines.map((line) => `printf '%s\\n' ${quoted(line)}`), `exit ${code}`].join('\n')
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const passing = `import { test } from 'node:test'\ntest('adds', () => {})\n`
const failing = `import { test } from 'node:test'\ntest('adds', () => { throw new Error('1 is not 2') })\n`
const runsTests = { scripts: { test: 'node --test' } }

/** npm without its start-up time and without the network. */
const npm = `case "$1" in
  test|t) shift; set -- run test "$@";;
esac
case "$1" in
  ci|install|i) [ -z "$NPM_FAILS" ] || { echo "npm error code EUSAGE" >&2; exit 1; }; exit 0;;
  run|run-script)
    line=$(node -p "require('./package.json').scripts?.['$2'] ?? ''")
    [ -n "$line" ] || { echo "npm error Missing script: \\"$2\\"" >&2; exit 1; }
    echo "> app@1.0.0 $2"; echo "> $line"
    PATH="$PWD/node_modules/.bin:$PATH" exec sh -c "$line";;
esac`

const node = (files: Record<string, string>, scripts: object = runsTests): Record<string, string> => ({
  'package.json': manifest(scripts),
  ...files,
})
const check = (run: string): Record<string, unknown> => ({ checks: [{ name: 'test', run }] })

/** Repositories in which a check cannot run. No change of an agent can repair that. */
export const broken: Repository[] = [
  {
    name: 'a runner that is not installed',
    files: node({ 'a.test.js': passing }, { scripts: { test: 'jest' } }),
    programs: { npm },
    cause: /jest/,
    remedy: /workspace\.setup|install/,
  },
  {
    name: 'pytest is asked for and not installed',
    files: { 'pytest.ini': '[pytest]\n', 'tests/test_a.py': 'def test_a():\n    assert True\n' },
    programs: { python3: says(1, '/usr/bin/python3: No module named pytest') },
    config: check('python3 -m pytest'),
    cause: /pytest/,
    remedy: /install/,
  },
  {
    name: 'a file of the environment that git ignores',
    files: node({
      '.gitignore': '.env\n',
      'a.test.js': `import { readFileSync } from 'node:fs'\nreadFileSync('.env')\n`,
    }),
    config: check('node a.test.js'),
    prepare: (project) => project.write('.env', 'A=1\n'),
    cause: /\.env/,
    remedy: /workspace\.copy/,
  },
  {
    name: 'a variable that only an ignored file sets',
    files: node({ '.gitignore': '.env\n' }),
    config: check('test -f .env && . ./.env; : "${DATABASE_URL:?is not set}"'),
    prepare: (project) => project.write('.env', 'DATABASE_URL=pg://localhost/test\n'),
    cause: /DATABASE_URL is not set/,
    remedy: /workspace\.copy \.env[^]*"env":\{"DATABASE_URL":"<value>"\}/,
  },
  {
    name: 'a script that the manifest does not have',
    files: node({}, { scripts: {} }),
    programs: { npm },
    config: check('npm run test:unit'),
    cause: /test:unit/,
    remedy: /checks/,
  },
  {
    name: 'a target that the Makefile does not have',
    files: { Makefile: 'all:\n\ttrue\n' },
    programs: { make: says(2, "make: *** No rule to make target 'check'.  Stop.") },
    config: check('make check'),
    cause: /check/,
    remedy: /checks/,
  },
  {
    name: 'no test files',
    files: node({}, { scripts: { test: 'vitest run' } }),
    programs: { npm, vitest: says(1, 'No test files found, exiting with code 1') },
    cause: /no test/i,
    remedy: /checks/,
  },
  {
    name: 'pytest collects nothing',
    files: { 'pytest.ini': '[pytest]\n', 'app.py': 'x = 1\n' },
    programs: { pytest: says(5, 'collected 0 items', '', '=== no tests ran in 0.01s ===') },
    config: check('pytest'),
    cause: /no tests/i,
  },
  {
    name: 'a port that another process has',
    files: node({}),
    programs: { serve: says(1, 'Error: listen EADDRINUSE: address already in use 127.0.0.1:5432') },
    config: check('serve'),
    cause: /5432|in use/,
  },
  {
    name: 'tests that need the network',
    files: node({}),
    programs: { fetchall: says(1, 'Error: getaddrinfo ENOTFOUND api.example.com') },
    config: check('fetchall'),
    cause: /api\.example\.com|network/,
  },
  {
    name: 'a package that is not installed',
    files: node({ 'a.test.mjs': `import 'left-pad'\n` }),
    config: check('node a.test.mjs'),
    cause: /left-pad/,
    remedy: /workspace\.setup|install/,
  },
  {
    name: 'set-up that fails',
    files: node({ 'package-lock.json': '{}\n', 'a.test.js': passing }),
    programs: { npm: `NPM_FAILS=1\n${npm}` },
    cause: /npm ci|npm install/,
  },
  {
    name: 'a Go module without Go',
    files: { 'server/go.mod': 'module example.com/server\n\ngo 1.21\n', 'server/main_test.go': 'package main\n' },
    cause: /\bgo\b/,
  },
  {
    name: 'a Rust workspace without cargo',
    files: { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n', 'a/Cargo.toml': '[package]\nname = "a"\n' },
    cause: /cargo/,
  },
  {
    name: 'a justfile without just',
    files: { justfile: 'test:\n    true\n' },
    config: check('just test'),
    cause: /\bjust\b/,
  },
  {
    name: 'a script that is not executable',
    files: { 'check.sh': '#!/bin/sh\ntrue\n' },
    config: check('./check.sh'),
    cause: /check\.sh/,
  },
  {
    name: 'only a red base',
    files: node({ 'a.test.js': failing }),
    config: check('node --test'),
    cause: /test/,
    remedy: /baseline/,
  },
]

/** What every agent of the matrix writes; the base has none of it. */
const changed = 'test -f hello.txt || ls wrong-*.txt >/dev/null 2>&1'
const onceChanged = (...lines: string[]): string => `if ${changed}; then\n${says(1, ...lines)}\nfi\n${says(0, 'ok')}`

/** The checks pass on the base. With the change of any task they fail for a cause that is in no task. */
export const turning: Repository[] = [
  {
    name: 'a package that is missing with any change',
    files: node({}),
    programs: { verify: onceChanged("Error: Cannot find module 'left-pad'") },
    config: check('verify'),
    cause: /left-pad/,
  },
  {
    name: 'a service that refuses any change',
    files: node({}),
    programs: { verify: onceChanged('Error: the licence server has no seat for this build') },
    config: check('verify'),
    cause: /licence server has no seat/,
  },
]

/** Repositories in which an honest task lands. */
export const sound: Repository[] = [
  {
    name: 'a lock file that git ignores',
    files: node({ '.gitignore': 'package-lock.json\nnode_modules\n', 'a.test.js': passing }),
    programs: { npm },
    prepare: (project) => project.write('package-lock.json', 'not json'),
    cause: null,
  },
  {
    name: 'a monorepo of npm workspaces',
    files: {
      'package.json': manifest({ private: true, workspaces: ['packages/*'] }),
      'packages/a/package.json': manifest({ name: 'a', scripts: { test: 'node --test' } }),
      'packages/a/a.test.js': passing,
      'packages/b/package.json': manifest({ name: 'b' }),
    },
    programs: { npm },
    config: check('cd packages/a && node --test'),
    cause: null,
  },
  { name: 'no tests at all', files: { 'notes.txt': 'none\n' }, cause: null },
  { name: 'a slow check', files: {}, config: check('sleep 2'), cause: null },
  {
    name: 'many files',
    files: Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`data/${n % 100}/${n}.txt`, `${n}\n`])),
    config: check('test -f data/0/0.txt'),
    cause: null,
  },
  {
    name: 'hooks that refuse every commit',
    files: {},
    config: check('true'),
    prepare(project) {
      project.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n')
      chmodSync(join(project.root, '.git/hooks/pre-commit'), 0o755)
    },
    cause: null,
  },
  {
    name: 'pointers of LFS without the program',
    files: {
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      'a.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 3\n',
    },
    config: check('test -f a.bin'),
    cause: null,
  },
  {
    name: 'names that are not ASCII',
    files: { 'größe/日本 語.txt': 'ü\n', 'näch.test.js': passing },
    config: check('node --test'),
    cause: null,
  },
  {
    name: 'several languages with their programs',
    files: {
      ...node({ 'a.test.js': passing }),
      'go.mod': 'module example.com/a\n\ngo 1.21\n',
      'a_test.go': 'package a\n',
      'Cargo.toml': '[package]\nname = "a"\n',
      'src/lib.rs': '\n',
    },
    programs: {
      npm,
      go: says(0, 'ok  \texample.com/a\t0.001s'),
      cargo: says(0, 'test result: ok. 1 passed; 0 failed'),
    },
    cause: null,
  },
  {
    name: 'a submodule',
    files: {},
    config: check('test -f vendor/lib/lib.txt'),
    prepare(project) {
      const library = join(project.notes, 'library')
      mkdirSync(library)
      writeFileSync(join(library, 'lib.txt'), 'lib\n')
      project.git('init', '-q', library)
      project.git('-C', library, 'add', '-A')
      project.git('-C', library, 'commit', '-q', '-m', 'Start')
      project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'vendor/lib')
      project.git('commit', '-q', '-m', 'Add the library')
    },
    cause: null,
  },
  {
    name: 'one red check of two',
    files: node({ 'a.test.js': passing }),
    config: {
      checks: [
        { name: 'test', run: 'node --test' },
        { name: 'types', run: 'test -f types.d.ts' },
      ],
    },
    cause: null,
  },
]

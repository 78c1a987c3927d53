/** Weakened definitions of checks, and harmless changes of them. */
import { describe, expect, test } from 'vitest'
import { type Case, loweredCommands, script } from '../../../test/kit/lowered-commands.ts'
import { both, loweredSettings, run, snapshots, workflow } from '../../../test/kit/lowered-settings.ts'
import { guard } from '../guard.ts'

const honest: Case[] = [
  ['a program under another name', 'Makefile', 'test: a\n\t./a\n', 'test: b\nb: b.c\n\tcc $< -o $@\n\t./test/$@\n'],
  ['another runner, given its files', 'package.json', script('test', 'tap'), script('test', "tape 'test/**/*.js'")],
  ['more checks', 'package.json', script('test', 'vitest run'), script('test', 'tsc && vitest run')],
  ['another runner', 'package.json', script('test', 'jest'), script('test', 'vitest run')],
  ['a renamed script', 'package.json', script('test', 'vitest run'), script('unit', 'vitest run')],
  [
    'a script in two',
    'package.json',
    script('test', 'tsc && vitest run'),
    JSON.stringify({ scripts: { test: 'npm run types && npm run unit', types: 'tsc', unit: 'vitest run' } }),
  ],
  ['with coverage', 'package.json', script('test', 'vitest run'), script('test', 'vitest run --coverage')],
  [
    'the first real test command',
    'package.json',
    script('test', 'echo "Error: no test specified" && exit 1'),
    script('test', 'vitest run'),
  ],
  [
    'no test yet, and none needed',
    'package.json',
    script('test', 'echo "Error: no test specified" && exit 1'),
    script('start', 'node .'),
  ],
  [
    'a time limit',
    'package.json',
    script('test', 'vitest run --testTimeout 1000'),
    script('test', 'vitest run --testTimeout 60000'),
  ],
  ...['tsc --noEmit', 'npm run build', 'rm -rf dist && tsc', 'eslint .'].map((pretest): Case => [
    `pretest: ${pretest}`,
    'package.json',
    JSON.stringify({ scripts: { build: 'node build.mjs', test: 'vitest run' } }),
    JSON.stringify({ scripts: { pretest, build: 'node build.mjs', test: 'vitest run' } }),
  ]),
  [
    'before what no check runs',
    'package.json',
    JSON.stringify({ scripts: { start: 'node .', test: 'vitest run' } }),
    JSON.stringify({ scripts: { prestart: 'node seed.mjs', start: 'node .', test: 'vitest run' } }),
  ],
  [
    'hooks of git',
    'package.json',
    script('test', 'vitest run'),
    JSON.stringify({ scripts: { test: 'vitest run', prepare: 'husky' } }),
  ],
  [
    'a step less before',
    'package.json',
    JSON.stringify({ scripts: { pretest: 'node seed.mjs && tsc', test: 'vitest run' } }),
    JSON.stringify({ scripts: { pretest: 'tsc', test: 'vitest run' } }),
  ],
  [
    'fewer warnings',
    'package.json',
    script('lint', 'eslint . --max-warnings 10'),
    script('lint', 'eslint . --max-warnings 0'),
  ],
  ['another start', 'package.json', script('start', 'node a.js'), script('start', 'echo || true')],
  [
    'a dependency',
    'package.json',
    script('test', 'vitest run'),
    script('test', 'vitest run', { dependencies: { zod: '4.0.0' } }),
  ],
  [
    'a higher threshold',
    'vitest.config.ts',
    'export default { test: { coverage: { thresholds: { lines: 80 } } } }',
    'export default { test: { coverage: { thresholds: { lines: 90, branches: 50 } } } }',
  ],
  [
    'time limits',
    'vitest.config.ts',
    'export default { test: { testTimeout: 600_000 } }',
    'export default { test: { testTimeout: 600_000 } }',
  ],
  [
    'what is built left out',
    'vitest.config.ts',
    "export default { test: { exclude: ['node_modules'] } }",
    "export default { test: { exclude: ['node_modules', 'dist/**'] } }",
  ],
  [
    'a stricter compiler',
    'tsconfig.json',
    '{ "compilerOptions": { "strict": false } }',
    '{ "compilerOptions": { "strict": true, "noUnusedLocals": true } }',
  ],
  [
    'a rule more',
    'eslint.config.js',
    "export default [{ rules: { 'no-undef': 'warn' } }]",
    "export default [{ rules: { 'no-undef': 'error', eqeqeq: ['error'] } }]",
  ],
  [
    'a higher bar in Python',
    'pyproject.toml',
    '[tool.coverage.report]\nfail_under = 80\n',
    '[tool.coverage.report]\nfail_under = 90\n',
  ],
  [
    'strict markers',
    'pyproject.toml',
    '[tool.pytest.ini_options]\naddopts = "-q"\n',
    '[tool.pytest.ini_options]\naddopts = "-q --strict-markers -x"\ntestpaths = ["tests"]\n',
  ],
  ['a target more', 'Makefile', 'test:\n\tpytest\n', 'test: lint\n\tpytest -q\n\nlint:\n\truff check .\n'],
  [
    'a step more',
    '.github/workflows/ci.yml',
    workflow(run('npm test')),
    workflow(run('npm ci') + run('npm run lint') + run('npm test')),
  ],
  [
    'a named step',
    '.github/workflows/ci.yml',
    workflow(run('npm test')),
    workflow(run('npm run test')).replace('name: Check', 'name: Test'),
  ],
  ['a version', '.github/workflows/ci.yml', workflow(run('npm test')), workflow(run('npm test')).replace('@v4', '@v5')],
  [
    'a browser installed by its runner',
    '.github/workflows/ci.yml',
    workflow(run('npx playwright install') + run('npx vitest run --browser')),
    workflow(run('pnpm exec playwright install chromium') + run('pnpm exec vitest run --browser')),
  ],
  ['a few snapshots', 'src/__snapshots__/a.test.ts.snap', both, snapshots(0, 2, 'new') + snapshots(2, 6, 'old')],
  ['more snapshots', 'src/__snapshots__/a.test.ts.snap', both, snapshots(0, 9, 'old')],
]

describe('definitions of checks (F13)', () => {
  test.each([...loweredCommands, ...loweredSettings])('%s: %s', (kind, _what, path, before, after) => {
    const { findings } = guard.compare([{ path, before, after }])
    expect(findings.map((each) => [each.kind, each.file])).toContainEqual([kind, path])
    expect(findings.every(({ detail }) => detail !== '' && !detail.includes('\n'))).toBe(true)
  })

  test.each(honest)('no alarm: %s', (_what, path, before, after) => {
    expect(guard.compare([{ path, before, after }]).findings).toEqual([])
  })

  test('a configuration that moves to another file, and a workflow in two', () => {
    expect(
      guard.compare([
        {
          path: 'package.json',
          before: script('test', 'jest', { jest: { coverageThreshold: { global: { lines: 90 } } } }),
          after: script('test', 'jest'),
        },
        {
          path: 'jest.config.js',
          before: null,
          after: 'module.exports = { coverageThreshold: { global: { lines: 90 } } }',
        },
        { path: 'setup.cfg', before: '[coverage:run]\nomit = x/compat.py\n', after: '' },
        { path: 'pyproject.toml', before: '', after: '[tool.coverage.run]\nomit = ["x/compat.py"]\n' },
        {
          path: '.github/workflows/ci.yml',
          before: workflow(run('npm run lint') + run('npm test')),
          after: workflow(run('npm test')),
        },
        { path: '.github/workflows/lint.yml', before: null, after: workflow(run('npm run lint')) },
      ]).findings,
    ).toEqual([])
  })

  test('snapshots that go with their test, or become part of it', () => {
    const path = 'src/__snapshots__/a.test.ts.snap'
    const before = "it('shows', () => { expect(show()).toMatchSnapshot() })"
    const after = "it('shows', () => { expect(show()).toMatchInlineSnapshot(`<p/>`) })"
    expect(
      guard.compare([
        { path, before: both, after: null },
        { path: 'src/a.test.ts', before, after },
      ]).findings,
    ).toEqual([])
    expect(
      guard.compare([
        { path, before: both, after: null },
        { path: 'test/__snapshots__/a.test.ts.snap', before: null, after: both },
      ]).findings,
    ).toEqual([])
  })
})

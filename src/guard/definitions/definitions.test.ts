/** Weakened definitions of checks, and harmless changes of them. */
import { describe, expect, test } from 'vitest'
import type { TamperKind } from '../../model/tamper.ts'
import { guard } from '../guard.ts'

const script = (name: string, command: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({ name: 'x', scripts: { [name]: command }, ...more }, null, 2)
const workflow = (steps: string, more = ''): string =>
  `name: ci\non: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n${more}    steps:\n      - uses: actions/checkout@v4\n${steps}`
const run = (command: string, more = ''): string => `      - name: Check\n${more}        run: ${command}\n`
const snapshots = (from: number, to: number, text: string): string =>
  `// Jest Snapshot v1\n${Array.from({ length: to - from }, (_, index) => `\nexports[\`shows ${index + from} 1\`] = \`\n<p>\n  ${text} ${index + from}\n</p>\n\`;\n`).join('')}`
const both = snapshots(0, 6, 'old')

type Case = [what: string, path: string, before: string | null, after: string | null]

const lowered: [kind: TamperKind, ...Case][] = [
  [
    'check-changed',
    'test: || true',
    'package.json',
    script('test', 'vitest run'),
    script('test', 'vitest run || true'),
  ],
  ['check-changed', 'test: echo', 'package.json', script('test', 'vitest run'), script('test', 'echo ok')],
  ['check-changed', 'test: exit 0', 'package.json', script('test', 'vitest run'), script('test', 'exit 0')],
  ['check-changed', 'test: node -e', 'package.json', script('test', 'jest'), script('test', 'node -e ""')],
  ['check-changed', 'test gone', 'package.json', script('test', 'vitest run'), script('start', 'node .')],
  [
    'check-changed',
    'test: another program',
    'package.json',
    script('test', 'vitest run'),
    script('test', 'tsc --noEmit'),
  ],
  [
    'check-changed',
    'test: one file',
    'package.json',
    script('test', 'vitest run'),
    script('test', 'vitest run src/ok.test.ts'),
  ],
  [
    'check-changed',
    'test: fewer folders',
    'package.json',
    script('test', 'mocha test lib'),
    script('test', 'mocha lib'),
  ],
  [
    'check-changed',
    'test: --exclude',
    'package.json',
    script('test', 'vitest run'),
    script('test', 'vitest run --exclude src/cart.test.ts'),
  ],
  ['check-changed', 'test: names', 'package.json', script('test', 'jest'), script('test', 'jest --testNamePattern ok')],
  ['check-changed', 'test: snapshots written', 'package.json', script('test', 'jest'), script('test', 'jest -u')],
  [
    'check-changed',
    'test: no tests are fine',
    'package.json',
    script('test', 'jest'),
    script('test', 'jest --passWithNoTests'),
  ],
  [
    'check-changed',
    'lint: warnings',
    'package.json',
    script('lint', 'eslint . --max-warnings 0'),
    script('lint', 'eslint . --max-warnings 50'),
  ],
  [
    'check-changed',
    'lint: warnings not counted',
    'package.json',
    script('lint', 'eslint . --max-warnings=0'),
    script('lint', 'eslint .'),
  ],
  [
    'check-changed',
    'check: a part gone',
    'package.json',
    script('check', 'tsc && eslint . && vitest run'),
    script('check', 'eslint . && vitest run'),
  ],
  [
    'check-changed',
    'a script that another calls',
    'package.json',
    JSON.stringify({ scripts: { test: 'npm run unit', unit: 'jest' } }),
    JSON.stringify({ scripts: { test: 'npm run unit', unit: 'true' } }),
  ],
  ...[
    'rm -rf test/cart.test.ts',
    'node patch.mjs',
    'sed -i s/3/4/ cart.test.ts',
    'eslint . --fix',
    'npm run write',
    'echo > cart.test.ts',
    'node -e "1"',
  ].map((pretest): [TamperKind, ...Case] => [
    'check-changed',
    `pretest: ${pretest}`,
    'package.json',
    script('test', 'vitest run'),
    JSON.stringify({ scripts: { pretest, test: 'vitest run', write: 'prettier --write .' } }),
  ]),
  [
    'check-changed',
    'posttest',
    'package.json',
    script('test', 'vitest run'),
    JSON.stringify({ scripts: { test: 'vitest run', posttest: 'node report.mjs' } }),
  ],
  [
    'check-changed',
    'prepare',
    'package.json',
    script('test', 'vitest run'),
    JSON.stringify({ scripts: { test: 'vitest run', prepare: 'node patch.mjs' } }),
  ],
  [
    'check-changed',
    'one more step before',
    'package.json',
    JSON.stringify({ scripts: { pretest: 'tsc', test: 'vitest run' } }),
    JSON.stringify({ scripts: { pretest: 'tsc && node patch.mjs', test: 'vitest run' } }),
  ],
  [
    'threshold-lowered',
    'jest in package.json',
    'package.json',
    script('test', 'jest', { jest: { coverageThreshold: { global: { lines: 90 } } } }),
    script('test', 'jest', { jest: { coverageThreshold: { global: { lines: 50 } } } }),
  ],
  [
    'threshold-lowered',
    'vitest',
    'vitest.config.ts',
    'export default defineConfig({ test: { coverage: { thresholds: { branches: 80, lines: 90 } } } })',
    'export default defineConfig({ test: { coverage: { thresholds: { branches: 80, lines: 10 } } } })',
  ],
  [
    'threshold-lowered',
    'vitest, gone',
    'vitest.config.ts',
    'export default defineConfig({ test: { coverage: { thresholds: { lines: 90 } } } })',
    'export default defineConfig({ test: { coverage: {} } })',
  ],
  [
    'threshold-lowered',
    'nyc',
    '.nycrc',
    '{ "check-coverage": true, "lines": 90 }',
    '{ "check-coverage": true, "lines": 9 }',
  ],
  ['threshold-lowered', 'nyc off', '.nycrc.json', '{ "check-coverage": true }', '{ "check-coverage": false }'],
  ['threshold-lowered', 'coverage.py', '.coveragerc', '[report]\nfail_under = 90\n', '[report]\nfail_under = 9\n'],
  [
    'threshold-lowered',
    'pyproject',
    'pyproject.toml',
    '[tool.coverage.report]\nfail_under = 90\n',
    '[tool.coverage.report]\nshow_missing = true\n',
  ],
  [
    'threshold-lowered',
    'codecov',
    'codecov.yml',
    'coverage:\n  status:\n    project:\n      default:\n        target: 90%\n',
    'coverage:\n  status:\n    project:\n      default:\n        target: 10%\n',
  ],
  [
    'check-changed',
    'vitest exclude',
    'vitest.config.ts',
    "export default { test: { exclude: ['node_modules'] } }",
    "export default { test: { exclude: ['node_modules', 'src/cart.test.ts'] } }",
  ],
  [
    'check-changed',
    'jest ignore',
    'jest.config.js',
    'module.exports = {}',
    "module.exports = { testPathIgnorePatterns: ['cart'] }",
  ],
  [
    'check-changed',
    'fewer projects',
    'vitest.config.ts',
    "export default { test: { include: ['src/**/*.test.ts', 'test/**/*.test.ts'] } }",
    "export default { test: { include: ['src/**/*.test.ts'] } }",
  ],
  [
    'check-changed',
    'strict off',
    'tsconfig.json',
    '{ "compilerOptions": { "strict": true } } // x',
    '{ "compilerOptions": { "strict": false } }',
  ],
  [
    'check-changed',
    'noImplicitAny gone',
    'tsconfig.json',
    '{ "compilerOptions": { "noImplicitAny": true } }',
    '{ "compilerOptions": {} }',
  ],
  [
    'check-changed',
    'types of some files',
    'tsconfig.json',
    '{ "exclude": ["dist"] }',
    '{ "exclude": ["dist", "src/cart.ts"] }',
  ],
  [
    'check-changed',
    'a rule off',
    'eslint.config.js',
    "export default [{ rules: { 'no-unused-vars': 'error' } }]",
    "export default [{ rules: { 'no-unused-vars': 'off' } }]",
  ],
  [
    'check-changed',
    'a rule off that others set',
    '.eslintrc.json',
    '{ "rules": {} }',
    '{ "rules": { "no-undef": 0 } }',
  ],
  [
    'check-changed',
    'a rule warns',
    '.eslintrc.json',
    '{ "rules": { "no-undef": ["error", {}] } }',
    '{ "rules": { "no-undef": ["warn", {}] } }',
  ],
  [
    'check-changed',
    'files not linted',
    'eslint.config.js',
    "export default [{ ignores: ['dist'] }]",
    "export default [{ ignores: ['dist', 'src/cart.ts'] }]",
  ],
  [
    'check-changed',
    'addopts',
    'pyproject.toml',
    '[tool.pytest.ini_options]\naddopts = "-q"\n',
    '[tool.pytest.ini_options]\naddopts = "-q --deselect tests/test_cart.py::test_adds"\n',
  ],
  [
    'check-changed',
    'addopts, a list',
    'pyproject.toml',
    '[tool.pytest.ini_options]\naddopts = [\n  "-q",\n]\n',
    '[tool.pytest.ini_options]\naddopts = [\n  "-q",\n  "--ignore=tests/test_cart.py",\n]\n',
  ],
  [
    'check-changed',
    'addopts of pytest.ini',
    'pytest.ini',
    '[pytest]\naddopts = -q\n',
    '[pytest]\naddopts = -q -k "not cart"\n',
  ],
  [
    'check-changed',
    'testpaths',
    'pytest.ini',
    '[pytest]\ntestpaths = tests\n    more\n',
    '[pytest]\ntestpaths = more\n',
  ],
  [
    'check-changed',
    'tox',
    'tox.ini',
    '[testenv]\ncommands = pytest {posargs}\n',
    '[testenv]\ncommands = - pytest {posargs} || true\n',
  ],
  [
    'check-changed',
    'ruff',
    'pyproject.toml',
    '[tool.ruff.lint]\nignore = ["E501"]\n',
    '[tool.ruff.lint]\nignore = ["E501", "F401"]\n',
  ],
  ['check-changed', 'mypy', 'mypy.ini', '[mypy]\nstrict = True\n', '[mypy]\nstrict = False\n'],
  ['check-changed', 'a target', 'Makefile', 'test:\n\tpytest tests\n', 'test:\n\t-pytest tests\n'],
  [
    'check-changed',
    'a target that does nothing',
    'Makefile',
    'test: build\n\tgo test ./...\n\nbuild:\n\tgo build\n',
    'test: build\n\t@echo ok\n\nbuild:\n\tgo build\n',
  ],
  [
    'check-changed',
    'a shell script',
    'scripts/test.sh',
    '#!/bin/sh\nset -e\nnpx jest\n',
    '#!/bin/sh\nset -e\nnpx jest || true\n',
  ],
  ['check-changed', 'maven', 'pom.xml', '<project>\n</project>', '<project>\n<skipTests>true</skipTests>\n</project>'],
  [
    'ci-lowered',
    'continue-on-error',
    '.github/workflows/ci.yml',
    workflow(run('npm test')),
    workflow(run('npm test', '        continue-on-error: true\n')),
  ],
  ['ci-lowered', '|| true', '.github/workflows/ci.yml', workflow(run('npm test')), workflow(run('npm test || true'))],
  [
    'ci-lowered',
    'if: false',
    '.github/workflows/ci.yml',
    workflow(run('npm test')),
    workflow(run('npm test'), '    if: false\n'),
  ],
  [
    'ci-lowered',
    'a step gone',
    '.github/workflows/ci.yml',
    workflow(run('npm run lint') + run('npm test')),
    workflow(run('npm run lint')),
  ],
  [
    'ci-lowered',
    'a step commented out',
    '.github/workflows/ci.yml',
    workflow(run('npm run lint') + run('npm test')),
    workflow(`${run('npm run lint')}      # - run: npm test\n`),
  ],
  ['ci-lowered', 'the file gone', '.github/workflows/ci.yml', workflow(run('npx vitest run')), null],
  [
    'ci-lowered',
    'a weaker command',
    '.github/workflows/ci.yml',
    workflow(run('pytest --cov-fail-under=90')),
    workflow(run('pytest --cov-fail-under=10')),
  ],
  [
    'ci-lowered',
    'allow_failure',
    '.gitlab-ci.yml',
    'test:\n  script:\n    - pytest\n',
    'test:\n  allow_failure: true\n  script:\n    - pytest\n',
  ],
  [
    'ci-lowered',
    'when: manual',
    '.gitlab-ci.yml',
    'test:\n  script:\n    - pytest\n',
    'test:\n  when: manual\n  script:\n    - pytest\n',
  ],
  ['snapshots-rewritten', 'most snapshots', 'src/__snapshots__/a.test.ts.snap', both, snapshots(0, 6, 'new')],
  ['snapshots-rewritten', 'all snapshots gone', 'src/__snapshots__/a.test.ts.snap', both, null],
  [
    'snapshots-rewritten',
    'syrupy',
    'tests/__snapshots__/test_a.ambr',
    Array.from({ length: 5 }, (_, index) => `# name: test_${index}\n  'old'\n# ---\n`).join(''),
    Array.from({ length: 5 }, (_, index) => `# name: test_${index}\n  'new'\n# ---\n`).join(''),
  ],
]

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
  test.each(lowered)('%s: %s', (kind, _what, path, before, after) => {
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

/** Changes that weaken settings, workflows and snapshots. */
import type { TamperKind } from '../../src/model/tamper.ts'
import type { Case } from './lowered-commands.ts'

export const workflow = (steps: string, more = ''): string =>
  `name: ci\non: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n${more}    steps:\n      - uses: actions/checkout@v4\n${steps}`
export const run = (command: string, more = ''): string => `      - name: Check\n${more}        run: ${command}\n`
export const snapshots = (from: number, to: number, text: string): string =>
  `// Jest Snapshot v1\n${Array.from({ length: to - from }, (_, index) => `\nexports[\`shows ${index + from} 1\`] = \`\n<p>\n  ${text} ${index + from}\n</p>\n\`;\n`).join('')}`
export const both = snapshots(0, 6, 'old')

export const loweredSettings: [kind: TamperKind, ...Case][] = [
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

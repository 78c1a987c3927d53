/** More ways to weaken what defines checks, and honest changes that look similar. */
import { describe, expect, test } from 'vitest'
import { look, type Edit } from '../../test/kit/guard-edits.ts'
import { guard } from './guard.ts'

const settings: [what: string, path: string, before: string | null, after: string][] = [
  ['testpaths', 'pytest.ini', '[pytest]\n', '[pytest]\ntestpaths = nothing\n'],
  ['python_functions', 'pytest.ini', '[pytest]\n', '[pytest]\npython_functions = check_*\n'],
  [
    'autouse',
    'conftest.py',
    'import pytest\n',
    'import pytest\n\n@pytest.fixture(autouse=True)\ndef x():\n    pytest.skip("n")\n',
  ],
  [
    'include',
    'vitest.config.ts',
    "export default { test: { include: ['**/*.test.ts'] } }",
    "export default { test: { include: ['a/*.test.ts'] } }",
  ],
  ['retry', 'vitest.config.ts', 'export default { test: {} }', 'export default { test: { retry: 50 } }'],
  [
    'noImplicitAny',
    'tsconfig.json',
    '{"compilerOptions":{"strict":true}}',
    '{"compilerOptions":{"strict":true,"noImplicitAny":false}}',
  ],
  ['.eslintignore', '.eslintignore', null, 'src\n'],
  ['harness', 'Cargo.toml', '[[test]]\nname="x"\n', '[[test]]\nname="x"\nharness = false\n'],
  ...['vitest run | cat', 'vitest run & sleep 1', 'vitest run; echo done'].map(
    (test): [string, string, string, string] => [
      test,
      'package.json',
      '{"scripts":{"test":"vitest run"}}',
      JSON.stringify({ scripts: { test } }),
    ],
  ),
]
const ci =
  'on: [push, pull_request]\njobs:\n  t:\n    strategy:\n      matrix:\n        node: [18, 20, 22]\n    steps:\n      - run: npm test\n'
const workflows: Edit[] = [
  ['triggers', '[push, pull_request]', 'workflow_dispatch'],
  ['paths', 'on: [push, pull_request]', 'on:\n  pull_request:\n  push:\n    paths-ignore: ["**"]'],
  ['branches', 'on: [push, pull_request]', 'on:\n  pull_request:\n  push:\n    branches: [nothing]'],
  ['if', '- run: npm test\n', "- run: npm test\n        if: github.actor == 'no-one'\n"],
  ['if of a job', '    steps:', "    if: github.actor == 'no-one'\n    steps:"],
  ['versions', '[18, 20, 22]', '[22]'],
]
const honestWorkflows: Edit[] = [
  ['a version less', '[18, 20, 22]', '[20, 22]'],
  ['a version more', '[18, 20, 22]', '[18, 20, 22, 24]'],
  ['documents', 'on: [push, pull_request]', 'on:\n  pull_request:\n  push:\n    paths-ignore: ["**.md"]'],
  [
    'a step with a condition',
    '- run: npm test\n',
    '- run: npm test\n      - run: npm run publish\n        if: github.ref == "main"\n',
  ],
  ['always', '- run: npm test\n', '- run: npm test\n        if: always()\n'],
]

describe('what defines checks (F13)', () => {
  test.each(settings)('%s', (_what, path, before, after) => {
    expect(guard.compare([{ path, before, after }]).findings.map(({ kind }) => kind)).toEqual(['check-changed'])
  })
  test.each(workflows)('CI: %s', (...edit) => {
    expect([...new Set(look('.github/workflows/ci.yml', ci, edit).map(({ kind }) => kind))]).toEqual(['ci-lowered'])
  })
  test.each(honestWorkflows)('no alarm: CI: %s', (...edit) =>
    expect(look('.github/workflows/ci.yml', ci, edit)).toEqual([]),
  )
})

import { expect, test } from 'vitest'
import { isShadowing, roleOf, type Role } from './roles.ts'

const table: Record<Role, string[]> = {
  product: [
    'src/index.ts', 'lib/latest.js', 'src/inspect.py', 'index.js', 'pkg/sum.go', 'src/build.rs', 'src/scripts/run.ts', 'README.md', 'calc.sh',
    'src/rollup-plugin.ts', 'lib/spec.js', 'src/contest.py', 'data.json', 'package-lock.json', 'go.mod', 'src/deno.ts', 'src/fixtures.ts',
    'app/models/protest.rb', 'attributes.py',
  ],
  test: [
    'test/a.js', 'tests/test_sum.py', 'src/sum.test.ts', 'src/__tests__/sum.tsx', 'pkg/sum_test.go', 'src/test/java/SumTest.java',
    'SumTest.php', 't/basic.t', 'spec/sum_spec.rb', 'test.sh', 'tests/run.sh', 'run_tests.py', 'test_sum.py', 'e2e/flow.ts', 'checks.bats',
    'src/test-utils.ts', 'setupTests.js', 'conftest.py',
  ],
  data: [
    'test/fixtures/a.json', 'test/expected.txt', 'src/__snapshots__/a.snap', 'pkg/testdata/in.txt', 'fixtures/a.html', 'cases.json',
    'sum.golden', 'test/cases/a.csv', 'expected.json',
  ],
  machinery: [
    'vitest.config.ts', 'jest.setup.js', '.mocharc.yml', '.npmrc', 'tsconfig.test.json', 'pytest.ini', 'tox.ini',
    'Makefile', 'GNUmakefile', 'rules.mk', 'build.rs', '.cargo/config.toml', '.config/nextest.toml', 'node_modules/chai/index.js', '.env.test',
    'scripts/run.sh', 'ci/check.py', '.github/workflows/ci.yml', 'phpunit.xml', 'sitecustomize.py', 'tools/reporter.js', 'next.config.mjs',
    'eslint.config.js', '.eslintrc', 'CMakeLists.txt', 'harness.js', 'packages/a/node_modules/x.js',
  ],
  mixed: ['package.json', 'packages/a/package.json', 'pyproject.toml', 'setup.cfg', 'Cargo.toml', 'crates/a/Cargo.toml'],
}

test.each(Object.entries(table).flatMap(([role, paths]) => paths.map((path) => [path, role])))('%s is %s', (path, role) => expect(roleOf(path)).toBe(role))

test.each([
  ['pytest.py', true], ['pytest/__init__.py', true], ['json.py', true], ['lib/Test/More.pm', true], ['sum.py', false], ['sum/json.py', false],
])('%s stands in for an installed module: %s', (path, expected) => expect(isShadowing(path)).toBe(expected))

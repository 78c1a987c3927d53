/** Skeletons of projects, and the set-up and checks that discovery proposes for each. */
import { describe, expect, test } from 'vitest'
import { discoverProject } from './discover.ts'
import type { Project } from './project.ts'

type Files = Record<string, string | object>

interface Machine {
  programs?: string[]
  modules?: string[]
}

function projectOf(files: Files, { programs = [], modules = [] }: Machine = {}): Project {
  const text = (path: string): string | null => {
    const content = files[path]
    return content === undefined ? null : typeof content === 'string' ? content : JSON.stringify(content)
  }
  return {
    files: new Set(Object.keys(files)),
    read: async (path) => text(path),
    hasProgram: async (name) => programs.includes(name),
    hasModule: async (name) => modules.includes(name),
  }
}

interface Skeleton {
  is: string
  files: Files
  on?: Machine
  setup?: string[]
  checks: string[]
  proposed?: string[]
  notes?: string[]
}

const tests = { test: 'vitest run' }
const dev = { devDependencies: { vitest: '4' } }
const caseOf = 'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): pass\n'
const plainTest = 'def test_a():\n  assert 1\n'

const skeletons: Skeleton[] = [
  { is: 'an empty repository', files: { 'README.md': '' }, checks: [] },

  // Node
  {
    is: 'npm',
    files: { 'package.json': { scripts: tests }, 'package-lock.json': '{}' },
    setup: ['npm ci'],
    checks: ['npm test'],
  },
  { is: 'npm without dependencies', files: { 'package.json': { scripts: tests } }, checks: ['npm test'] },
  {
    is: 'npm without a lock file',
    files: { 'package.json': { scripts: tests, ...dev } },
    setup: ['npm install --no-package-lock'],
    checks: ['npm test'],
  },
  {
    is: 'pnpm with types and lint',
    files: { 'package.json': { scripts: { ...tests, typecheck: 'tsc', lint: 'oxlint' } }, 'pnpm-lock.yaml': '' },
    setup: ['pnpm install --frozen-lockfile'],
    checks: ['pnpm test'],
    proposed: ['pnpm run typecheck', 'pnpm run lint'],
  },
  {
    is: 'yarn 1',
    files: { 'package.json': { scripts: tests }, 'yarn.lock': '' },
    setup: ['yarn install --frozen-lockfile'],
    checks: ['yarn test'],
  },
  {
    is: 'yarn 4',
    files: { 'package.json': { scripts: tests }, 'yarn.lock': '', '.yarnrc.yml': '' },
    setup: ['yarn install --immutable'],
    checks: ['yarn test'],
  },
  {
    is: 'bun, whose own runner is not the script',
    files: { 'package.json': { scripts: tests }, 'bun.lock': '' },
    setup: ['bun install --frozen-lockfile'],
    checks: ['bun run test'],
  },
  {
    is: 'the declared manager before the lock file of another',
    files: { 'package.json': { scripts: tests, packageManager: 'yarn@4.1.0', ...dev }, 'pnpm-lock.yaml': '' },
    setup: ['yarn install --no-immutable'],
    checks: ['yarn test'],
  },
  {
    is: 'an unknown package manager',
    files: { 'package.json': { scripts: tests, packageManager: 'evil; rm -rf /' }, 'package-lock.json': '' },
    setup: ['npm ci'],
    checks: ['npm test'],
  },
  {
    is: "npm init's placeholder",
    files: { 'package.json': { scripts: { test: 'echo "Error: no test specified"' } } },
    checks: [],
  },
  {
    is: 'node:test without a script',
    files: { 'package.json': {}, 'test/a.test.js': "import { test } from 'node:test'" },
    checks: ['node --test'],
  },
  {
    is: 'TypeScript without a script for types',
    files: { 'package.json': { scripts: tests, devDependencies: { typescript: '7' } }, 'tsconfig.json': '{}' },
    setup: ['npm install --no-package-lock'],
    checks: ['npm test'],
    proposed: ['npx tsc --noEmit'],
  },
  {
    is: 'a lint script that changes files',
    files: { 'package.json': { scripts: { ...tests, lint: 'eslint . --fix' } } },
    checks: ['npm test'],
    notes: ['the script "lint" changes files, so it is not a check'],
  },
  { is: 'a byte order mark', files: { 'package.json': '\uFEFF{"scripts":{"test":"x"}}' }, checks: ['npm test'] },
  {
    is: 'a package.json that is not JSON',
    files: { 'package.json': '{ "scripts": ', Makefile: 'test:\n' },
    checks: ['make test'],
    notes: ['package.json is not valid JSON, so its scripts were ignored'],
  },
  { is: 'odd scripts', files: { 'package.json': { scripts: { test: 3, lint: null } } }, checks: [] },
  {
    is: 'npm workspaces without a root script',
    files: {
      'package.json': { workspaces: ['packages/*'] },
      'package-lock.json': '',
      'packages/a/package.json': { name: 'a', scripts: tests },
      'packages/b/package.json': { name: '@x/b', scripts: tests },
      'packages/c/package.json': { name: 'c' },
      'packages/a/examples/z/package.json': { name: 'z', scripts: tests },
    },
    setup: ['npm ci'],
    checks: ['npm test --workspace a', 'npm test --workspace @x/b'],
  },
  {
    is: 'npm workspaces with a root script',
    files: {
      'package.json': { workspaces: { packages: ['packages/*'] }, scripts: { test: 'npm test -ws' } },
      'packages/a/package.json': { name: 'a', scripts: tests },
    },
    setup: ['npm install --no-package-lock'],
    checks: ['npm test'],
  },
  {
    is: 'pnpm workspaces with an excluded folder',
    files: {
      'package.json': {},
      'pnpm-workspace.yaml':
        "packages:\n  # all\n  - 'packages/*'\n  - \"apps/**\"\n  - '!packages/old'\ncatalog:\n  x: 1\n",
      'pnpm-lock.yaml': '',
      'packages/a/package.json': { name: 'a', scripts: tests },
      'packages/old/package.json': { name: 'old', scripts: tests },
      'apps/web/site/package.json': { name: 'site', scripts: tests },
    },
    setup: ['pnpm install --frozen-lockfile'],
    checks: ['pnpm --filter site test', 'pnpm --filter a test'],
  },
  {
    is: 'a workspace whose name means something to a shell',
    files: {
      'package.json': { workspaces: ['p/*'] },
      'yarn.lock': '',
      'p/a/package.json': { name: 'a; rm -rf ~', scripts: tests },
    },
    setup: ['yarn install --frozen-lockfile'],
    checks: [],
    notes: ['1 workspace has no valid name, so no check runs its tests'],
  },
  {
    is: 'workspaces of yarn 4, more than fit a list',
    files: {
      'package.json': { workspaces: ['p/*'] },
      'yarn.lock': '',
      '.yarnrc.yml': '',
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`p/${n}/package.json`, { name: `p${n}`, scripts: tests }]),
      ),
    },
    setup: ['yarn install --immutable'],
    checks: ['yarn workspaces foreach --all run test'],
  },
  {
    is: 'more workspaces than fit a list',
    files: {
      'package.json': { workspaces: ['p/*'] },
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`p/${n}/package.json`, { name: `p${n}`, scripts: tests }]),
      ),
    },
    setup: ['npm install --no-package-lock'],
    checks: ['npm test --workspaces --if-present'],
  },

  // Python
  {
    is: 'pytest.ini, pytest installed',
    files: { 'pytest.ini': '' },
    on: { modules: ['pytest'] },
    checks: ['python3 -m pytest'],
  },
  {
    is: 'pytest asked for and missing',
    files: { 'pytest.ini': '', 'test_a.py': plainTest },
    checks: ['python3 -m pytest'],
  },
  {
    is: 'unittest, pytest not installed',
    files: { 'setup.py': '', 'tests/test_a.py': caseOf },
    checks: ['python3 -m unittest discover -s tests'],
  },
  {
    is: 'unittest, pytest installed but not asked for',
    files: { 'pyproject.toml': '[project]\n', 'tests/__init__.py': '', 'tests/test_a.py': caseOf },
    on: { modules: ['pytest'] },
    checks: ['python3 -m unittest discover -s tests -t .'],
  },
  {
    is: 'test cases of unittest for pytest, which is missing',
    files: { 'tox.ini': '[pytest]\n', 'tests/test_a.py': caseOf },
    checks: ['python3 -m unittest discover -s tests'],
  },
  { is: 'a script with a test beside it', files: { 'a.py': '', 'test_a.py': caseOf }, checks: ['python3 -m unittest'] },
  {
    is: 'tests named _test.py',
    files: { 'setup.py': '', 'a_test.py': caseOf },
    checks: ["python3 -m unittest discover -p '*_test.py'"],
  },
  {
    is: 'uv',
    files: {
      'pyproject.toml': '[project]\ndependencies = ["x"]\n[tool.pytest.ini_options]\n',
      'uv.lock': '',
      'tests/test_a.py': plainTest,
    },
    setup: ['uv sync --frozen'],
    checks: ['uv run --frozen python -m pytest'],
  },
  {
    is: 'poetry with linters',
    files: {
      'pyproject.toml': '[tool.poetry]\n[tool.ruff]\n[tool.mypy]\n',
      'poetry.lock': '',
      'tests/test_a.py': plainTest,
    },
    setup: ['poetry install'],
    checks: ['poetry run python -m pytest'],
    proposed: ['poetry run python -m mypy .', 'poetry run python -m ruff check .'],
  },
  {
    is: 'requirements without a lock file',
    files: { 'requirements.txt': 'flask\npytest\n', 'tests/test_a.py': plainTest },
    setup: ['python3 -m venv .venv && .venv/bin/python -m pip install --quiet -r requirements.txt pytest'],
    checks: ['.venv/bin/python -m pytest'],
  },
  {
    is: 'a package with dependencies',
    files: { 'pyproject.toml': '[project]\ndependencies = [\n "attrs",\n]\n', 'tests/test_a.py': caseOf },
    setup: ['python3 -m venv .venv && .venv/bin/python -m pip install --quiet -e .'],
    checks: ['.venv/bin/python -m unittest discover -s tests'],
  },
  {
    is: 'tox as the only runner here',
    files: { 'tox.ini': '[testenv]\ncommands = pytest\n', 'tests/test_a.py': plainTest },
    on: { programs: ['tox'] },
    checks: ['tox'],
  },
  {
    is: 'nox as the only runner here',
    files: { 'noxfile.py': 'session.run("pytest")', 'tests/test_a.py': plainTest },
    on: { programs: ['nox'] },
    checks: ['nox'],
  },
  { is: 'Python without tests', files: { 'pyproject.toml': '[project]\ndependencies = ["x"]\n' }, checks: [] },

  {
    is: 'a module at the root with tests in a folder, without a manifest',
    files: { 'calc.py': '', 'tests/test_calc.py': caseOf },
    checks: ['python3 -m unittest discover -s tests'],
  },
  {
    is: 'modules under src without dependencies',
    files: { 'pyproject.toml': '[project]\n', 'src/calc/__init__.py': '', 'tests/test_calc.py': caseOf },
    checks: ['PYTHONPATH=src python3 -m unittest discover -s tests'],
  },
  {
    is: 'a service in a folder with its own tests',
    files: { 'api/requirements.txt': 'pytest', 'api/tests/test_a.py': plainTest },
    setup: ['cd api && python3 -m venv .venv && .venv/bin/python -m pip install --quiet -r requirements.txt pytest'],
    checks: ['cd api && .venv/bin/python -m pytest'],
  },

  // Rust, Go, the JVM
  {
    is: 'a crate',
    files: { 'Cargo.toml': '[package]\n' },
    checks: ['cargo test'],
    proposed: ['cargo clippy --all-targets'],
  },
  {
    is: 'a cargo workspace',
    files: { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n', 'a/Cargo.toml': '[package]\n', 'rustfmt.toml': '' },
    checks: ['cargo test --workspace'],
    proposed: ['cargo fmt --check', 'cargo clippy --workspace --all-targets'],
  },
  { is: 'a Go module', files: { 'go.mod': '' }, checks: ['go test ./...'], proposed: ['go vet ./...'] },
  {
    is: 'Go modules in subfolders only',
    files: { 'api/go.mod': '', 'api/a_test.go': '', 'cli/go.mod': '', 'docs/x/go.mod': '' },
    checks: ['cd api && go test ./...', 'cd cli && go test ./...'],
    proposed: ['cd api && go vet ./...', 'cd cli && go vet ./...'],
  },
  {
    is: 'a Go module inside another',
    files: { 'go.mod': '', 'sub/go.mod': '', 'sub/a_test.go': '', 'examples/x/go.mod': '', 'examples/x/a_test.go': '' },
    checks: ['go test ./...', 'cd sub && go test ./...'],
    proposed: ['go vet ./...'],
  },
  {
    is: 'a Go workspace',
    files: { 'go.work': 'go 1.22\nuse (\n\t./a\n\tb // c\n)\n', 'a/go.mod': '', 'b/go.mod': '' },
    checks: ['go test ./a/... ./b/...'],
    proposed: ['go vet ./a/... ./b/...'],
  },
  { is: 'Maven with a wrapper', files: { 'pom.xml': '', mvnw: '' }, checks: ['./mvnw --batch-mode test'] },
  { is: 'Maven', files: { 'pom.xml': '', 'core/pom.xml': '' }, checks: ['mvn --batch-mode test'] },
  {
    is: 'Gradle with a wrapper',
    files: { 'settings.gradle.kts': '', 'app/build.gradle.kts': '', gradlew: '' },
    checks: ['./gradlew test'],
  },
  { is: 'Gradle', files: { 'build.gradle': '' }, checks: ['gradle test'] },

  // Ruby, PHP, .NET, Elixir
  {
    is: 'RSpec',
    files: { Gemfile: '', 'Gemfile.lock': '', 'spec/a_spec.rb': '', '.rubocop.yml': '' },
    setup: ['bundle install'],
    checks: ['bundle exec rspec'],
    proposed: ['bundle exec rubocop'],
  },
  { is: 'a rake task', files: { Rakefile: 'Rake::TestTask.new(:test)' }, checks: ['rake test'] },
  {
    is: 'Rails',
    files: { Gemfile: '', 'bin/rails': '', 'test/a_test.rb': '' },
    setup: ['bundle install'],
    checks: ['bin/rails test'],
  },
  {
    is: 'composer with a script',
    files: { 'composer.json': { scripts: { test: 'phpunit' } }, 'phpunit.xml': '' },
    setup: ['composer install --no-interaction'],
    checks: ['composer test'],
  },
  {
    is: 'composer with a script of several commands',
    files: { 'composer.json': { scripts: { test: ['@lint', 'phpunit'] } } },
    setup: ['composer install --no-interaction'],
    checks: ['composer test'],
  },
  {
    is: 'PHPUnit and PHPStan',
    files: { 'composer.json': {}, 'phpunit.xml.dist': '', 'phpstan.neon': '' },
    setup: ['composer install --no-interaction'],
    checks: ['vendor/bin/phpunit'],
    proposed: ['vendor/bin/phpstan analyse'],
  },
  { is: 'a .NET solution', files: { 'App.sln': '', 'src/App/App.csproj': '' }, checks: ['dotnet test'] },
  {
    is: 'two .NET solutions',
    files: { 'My App.sln': '', 'Tools.sln': '' },
    checks: ["dotnet test 'My App.sln'"],
    notes: ['several solutions or projects: only My App.sln is tested'],
  },
  {
    is: 'several .NET projects without a solution',
    files: { 'App.csproj': '', 'App.Tests.csproj': '' },
    checks: ['dotnet test App.Tests.csproj'],
    notes: ['several solutions or projects: only App.Tests.csproj is tested'],
  },
  {
    is: 'Elixir',
    files: { 'mix.exs': '', 'mix.lock': '', '.formatter.exs': '' },
    setup: ['mix deps.get'],
    checks: ['mix test'],
    proposed: ['mix format --check-formatted'],
  },

  // Others
  {
    is: 'CMake with tests',
    files: { 'CMakeLists.txt': 'enable_testing()' },
    checks: ['cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure'],
  },
  {
    is: 'CMake without tests, with a Makefile',
    files: { 'CMakeLists.txt': '', Makefile: 'check: all\n' },
    checks: ['make check'],
  },
  { is: 'Deno', files: { 'deno.json': '{}', 'a.test.ts': '' }, checks: ['deno test'] },
  { is: 'Swift', files: { 'Package.swift': '', 'Tests/a.swift': '' }, checks: ['swift test'] },
  { is: 'Perl', files: { cpanfile: '', 't/a.t': '' }, checks: ['prove -lr t'] },
  {
    is: 'Flutter',
    files: { 'pubspec.yaml': 'dependencies:\n  flutter:\n', 'test/a_test.dart': '' },
    setup: ['flutter pub get'],
    checks: ['flutter test'],
  },
  { is: 'a Makefile', files: { Makefile: 'all: x\n\ntest: all\n\t./t\n' }, checks: ['make test'] },
  {
    is: 'a Makefile with a variable of that name',
    files: { makefile: 'test := 1\ncheck : x\n' },
    checks: ['make check'],
  },
  {
    is: 'a Makefile beside other tools',
    files: { Makefile: 'test:\n', 'go.mod': '' },
    checks: ['go test ./...'],
    proposed: ['go vet ./...'],
  },
  { is: 'a justfile', files: { justfile: 'default:\n\n@test *args:\n  x\n' }, checks: ['just test'] },
  { is: 'bats', files: { 'test/a.bats': '' }, checks: ['bats test'] },

  // Mixed
  {
    is: 'a front end and a back end in folders',
    files: {
      'web/package.json': { scripts: tests },
      'web/package-lock.json': '',
      'my server/go.mod': '',
      'my server/a_test.go': '',
      'node_modules/x/package.json': { scripts: tests },
      'examples/y/package.json': { scripts: tests },
    },
    setup: ['cd web && npm ci'],
    checks: ['cd web && npm test', "cd 'my server' && go test ./..."],
    proposed: ["cd 'my server' && go vet ./..."],
  },
  {
    is: 'several languages at the root',
    files: { 'package.json': { scripts: tests }, 'Cargo.toml': '[package]', 'pytest.ini': '', 'test_a.py': plainTest },
    on: { modules: ['pytest'] },
    checks: ['npm test', 'python3 -m pytest', 'cargo test'],
    proposed: ['cargo clippy --all-targets'],
  },
]

describe('discoverProject', () => {
  test.each(skeletons)('$is', async ({ files, on, setup = [], checks, proposed = [], notes = [] }) => {
    const found = await discoverProject(projectOf(files, on))
    const runs = (list: readonly { run: string }[]): string[] => list.map(({ run }) => run)
    expect({ ...found, checks: runs(found.checks), proposed: runs(found.proposed) }).toEqual({
      setup,
      checks,
      proposed,
      notes,
    })
    const names = [...found.checks, ...found.proposed].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  test.each(['', 'web/'])('workspaces in %j: each check names its package and those it depends on', async (folder) => {
    const { checks } = await discoverProject(
      projectOf({
        [`${folder}package.json`]: { workspaces: ['packages/*'] },
        [`${folder}packages/app/package.json`]: { name: 'app', scripts: tests, dependencies: { lib: '*', left: '1' } },
        [`${folder}packages/lib/package.json`]: { name: 'lib', scripts: tests, devDependencies: { '@x/core': '*' } },
        [`${folder}packages/core/package.json`]: { name: '@x/core' },
      }),
    )
    const at = (...names: string[]): string[] => names.map((name) => `${folder}packages/${name}`)
    expect(checks.map(({ paths }) => paths)).toEqual([at('app', 'lib', 'core'), at('lib', 'core')])
  })

  test('a file that cannot be read is reported, and the others count', async () => {
    const project = { ...projectOf({ 'package.json': '{}', 'go.mod': '' }), read: async () => null }
    const { checks, notes } = await discoverProject(project)
    expect(checks).toEqual([{ name: 'go test', run: 'go test ./...' }])
    expect(notes).toEqual(['package.json cannot be read'])
  })
})

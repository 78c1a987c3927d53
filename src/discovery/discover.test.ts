/** Projects of all other ecosystems, and of several at once. */
import { plainTest, projectOf, testSkeletons, tests, type Skeleton } from '../../test/kit/skeletons.ts'
import { describe, expect, test } from 'vitest'
import { discoverProject } from './discover.ts'

const skeletons: Skeleton[] = [
  { is: 'an empty repository', files: { 'README.md': '' }, checks: [] },

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
  {
    is: 'a Go workspace whose modules all have tests',
    files: { 'go.work': 'use ./a\nuse ./b\n', 'a/go.mod': '', 'a/a_test.go': '', 'b/go.mod': '', 'b/b_test.go': '' },
    checks: ['go test ./a/...', 'go test ./b/...'],
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
  testSkeletons(skeletons)

  test('a file that cannot be read is reported, and the others count', async () => {
    const project = { ...projectOf({ 'package.json': '{}', 'go.mod': '' }), read: async () => null }
    const { checks, notes } = await discoverProject(project)
    expect(checks).toEqual([{ name: 'go test', run: 'go test ./...' }])
    expect(notes).toEqual(['package.json cannot be read'])
  })

  const mod = (name: string, ...more: string[]): string => [`module example.com/${name}`, ...more].join('\n')
  const goWork = {
    'go.work': 'use (\n./app\n./lib\n./core\n)\n',
    'app/go.mod': mod('app', 'require example.com/lib v1.0.0'),
    'app/a_test.go': '',
    'lib/go.mod': mod('lib', 'require (', '\texample.com/core v1.0.0', ')'),
    'lib/a_test.go': '',
    'core/go.mod': mod('core'),
    'core/a_test.go': '',
  }
  const crates = {
    'rs/Cargo.toml': '[workspace]\nmembers = ["a", "b"]\n',
    'rs/a/Cargo.toml': '[package]\n',
    'rs/b/Cargo.toml': '[package]\n[dependencies]\nc = { path = "../../c" }\n',
  }
  const paths: [is: string, files: Record<string, string>, paths: (string[] | undefined)[]][] = [
    ['a module at the root', { 'go.mod': mod('a') }, [undefined]],
    ['a module in a folder', { 'api/go.mod': mod('api') }, [['api']]],
    ['one that replaces another', { 'api/go.mod': mod('api', 'replace x => ../lib') }, [['api', 'lib']]],
    ['one inside another', { 'go.mod': mod('a'), 'b/go.mod': mod('b'), 'b/b_test.go': '' }, [undefined, ['b']]],
    [
      'one that replaces the module it is in',
      { 'go.mod': mod('a'), 'b/go.mod': mod('b', 'replace example.com/a => ../'), 'b/b_test.go': '' },
      [undefined, undefined],
    ],
    ['a Go workspace', goWork, [['app', 'lib', 'core'], ['lib', 'core'], ['core']]],
    ['a crate in a folder', { 'x/Cargo.toml': '[dependencies]\ny = { path = "../y" }\n' }, [['x', 'y']]],
    ['a workspace of crates', crates, [['rs/Cargo.toml', 'rs/Cargo.lock', 'rs/.cargo', 'rs/a', 'rs/b', 'c']]],
    [
      'a workspace whose root is a crate',
      { 'Cargo.toml': '[package]\n[workspace]\n', 'a/Cargo.toml': '' },
      [undefined],
    ],
  ]
  test.each(paths)('G3: what a check depends on: %s', async (_is, files, expected) => {
    const { checks } = await discoverProject(projectOf(files))
    expect(checks.map((each) => each.paths)).toEqual(expected)
  })
})

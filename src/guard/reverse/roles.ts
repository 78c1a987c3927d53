/** Derives the role of a file from its path: product code, or a file that judges product code. */
import { languageOf } from '../test-path.ts'

/**
 * `data`: fixtures and snapshots. `machinery`: runner configuration, build files, programs that checks run. `mixed`:
 * product and machinery in one file.
 */
export type Role = 'product' | 'test' | 'data' | 'machinery' | 'mixed'

const folder = (names: string): RegExp => new RegExp(`(?:^|/)(?:${names})/`, 'i')
const file = (...names: readonly RegExp[]): RegExp =>
  new RegExp(`(?:^|/)(?:${names.map(({ source }) => source).join('|')})$`)

const testFolders = folder('tests?|specs?|__tests?__|__mocks__|e2e|cypress|test[_-]\\w+|\\w+[_-]tests?|t')
const dataFolders = folder(
  '__snapshots__|__fixtures__|fixtures?|testdata|test[_-]?data|testcases?|golden|snapshots|cassettes',
)
const dataWord = /(?:^|[._-])(?:(?:test-?)?cases|fixtures?|expected|golden|vectors|baselines?)(?:[._-]|$)/
const snapshot = /\.(?:snap|ambr|golden|approved\.\w+|verified\.\w+|expected)$/

/** The word must stand alone, or end a camel case name: `latest.js` and `inspect.js` are not tests. */
const testWord = /(?:^|[._-])(?:tests?|specs?|cy|e2e|conftest|testutils?|testhelpers?)(?:[._-]|$)/
const testCamel = /[a-z\d](?:Tests?|Spec|TestCase)$/

const tool = 'vitest|vite|jest|karma|playwright|cypress|ava|mocha|wdio|rolldown|rollup|webpack|babel|metro|tsup|tsdown'
const part = 'config|conf|workspace|setup|projects|environment|preset|globals?|resolver|transform(?:er)?|reporter'
const linter = 'eslint|prettier|stylelint|biome|\\.?oxlint|\\.?xo|dprint|turbo|nx|lerna|angular|bunfig|deno|knip'
const runnerFiles = file(
  new RegExp(`(?:${tool})[.-](?:${part})\\b[\\w.-]*|cypress\\.json`),
  /setup[._-]?(?:vitest|jest|mocha|tests?|env)\w*\.\w+/,
  /\.(?:mocha|jest|nyc|c8|tap|babel|swc|borp|eslint|prettier|stylelint|oxlint|jshint|jscs)(?:rc|ignore)(?:\.\w+)?/,
  new RegExp(`(?:${linter})\\.(?:config\\.\\w+|jsonc?|toml|ya?ml)`),
  /tsconfig[\w.-]*\.json|jsconfig\.json|jasmine\.json|import[-_]?map\.json/,
  /\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.cjs|\.pnp\.[\w.]+/,
  /conftest\.py|\.?pytest\.(?:ini|toml)|tox\.(?:ini|toml)|noxfile\.py|\.coveragerc/,
  /(?:site|user)customize\.py|[\w.-]+\.pth/,
  /\.?(?:ruff\.toml|mypy\.ini|flake8|pylintrc)|pyrightconfig\.json/,
  /nextest\.toml|\.?clippy\.toml|\.?rustfmt\.toml|rust-toolchain(?:\.toml)?|\.golangci\.\w+|tarpaulin\.toml|go\.work/,
  /phpunit[\w.]*\.xml(?:\.dist)?|phpstan[\w.]*|\.?psalm\.xml|\.perlcriticrc|\.proverc/,
  /\.rspec|\.rubocop\w*\.yml|Rakefile|\.simplecov/,
  /\.env(?:\.[\w.-]+)?|\.envrc|\.tool-versions|\.nvmrc|\.node-version|\.python-version|\.ruby-version|\.?mise\.toml/,
)
const buildFiles = file(
  /(?:GNUm|[Mm])akefile(?:\.\w+)?|[\w.-]+\.mk|\.?[Jj]ustfile|[Tt]askfile\.ya?ml/,
  /CMakeLists\.txt|CMakePresets\.json|CTest\w*\.cmake/,
  /meson\.build|BUILD(?:\.bazel)?|WORKSPACE(?:\.bazel)?|\.bazelrc|SConstruct|wscript|Earthfile|Dockerfile[\w.-]*/,
  /(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties|gradlew|pom\.xml|build\.sbt|Directory\.Build\.\w+/,
  /[\w.-]+\.runsettings|docker-compose[\w.-]*\.ya?ml|Jenkinsfile|(?:gulp|Grunt|Jake)file\.\w+/,
)
/** At the root of a package these configure tools; below `src` they are ordinary modules. */
const outsideProduct = file(/build\.rs|configure(?:\.ac)?|[\w.-]+\.config\.[cm]?[jt]s/)
const machineryFolders = folder(
  '\\.github|\\.gitlab|\\.circleci|\\.buildkite|\\.husky|\\.mvn|\\.devcontainer|\\.yarn|\\.looper|'
    + 'ci|scripts?|tools?|tooling|hack|build-tools|buildscripts',
)
const harness = /^(?:(?:test[-_]?)?harness|test[-_]?runner|run[-_]?(?:all[-_]?)?tests?|asserts?|assertions?|expect)$/
const always = folder('node_modules|\\.cargo|\\.config|site-packages')
const mixedFiles = file(/package\.json|pyproject\.toml|setup\.cfg|Cargo\.toml|composer\.json/)
const productFolders = /^(?:.*\/)?(?:src|lib|app|pkg|internal|cmd|bin|sources?)\//

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const stemOf = (path: string): string => baseOf(path).replace(/\.[A-Za-z]\w{0,5}$/, '')

export const isInProductFolder = (path: string): boolean => productFolders.test(path)

/** The path does not show which files a check reads under custom names: see `read-by-checks.ts`. */
export function roleOf(path: string): Role {
  if (always.test(path)) return 'machinery'
  if (isOfTests(path)) return isData(path) ? 'data' : 'test'
  if (mixedFiles.test(path)) return 'mixed'
  if (runnerFiles.test(path) || buildFiles.test(path)) return 'machinery'
  if (snapshot.test(path)) return 'data'
  if (productFolders.test(path)) return 'product'
  if (outsideProduct.test(path) || machineryFolders.test(path) || harness.test(stemOf(path))) return 'machinery'
  return dataFolders.test(path) || (languageOf(path) === null && dataWord.test(stemOf(path))) ? 'data' : 'product'
}

function isOfTests(path: string): boolean {
  if (testFolders.test(path) || /\.(?:bats|t|feature)$/.test(path)) return true
  if (/(?:^|\/)(?:testdata|test[_-]?data|__(?:snapshots|fixtures)__)\//i.test(path)) return true
  const stem = stemOf(path)
  return (
    ((testWord.test(stem) && !/^specs?$/.test(stem)) || testCamel.test(stem))
    && (languageOf(path) !== null || /\.(?:ba)?sh$/.test(path))
  )
}

const isData = (path: string): boolean =>
  dataFolders.test(path)
  || snapshot.test(path)
  || (languageOf(path) === null && !/\.(?:bats|t|feature|(?:ba)?sh|pl|pm|mk)$|(?:^|\/)[^.]+$/.test(path))

/** Python prefers a module at the root to an installed one, and Perl one in `lib`. */
const shadowing = new RegExp(
  '^(?:pytest|_pytest|unittest2?|nose2?|mock|hypothesis|doctest|tox|nox|coverage|pluggy|behave|pytest_\\w+|'
    + 'importlib|sys|os|json|re|io|math|types|typing|random|time|datetime|decimal|fractions|difflib|operator|'
    + 'functools|itertools|'
    + 'collections|traceback|warnings|inspect|ast|builtins|contextlib|tempfile|subprocess|pathlib|copy|string|'
    + 'numbers|abc|enum|'
    + 'dataclasses|asyncio|site|numpy|six)(?:\\.pyi?|/__init__\\.py)$|'
    + '^(?:lib/)?(?:Test/(?:More|Simple|Builder)|Test2|TAP)\\b.*\\.pm$',
)

/** Whether a new file at this path replaces a module that tests import from elsewhere. */
export const isShadowing = (path: string): boolean => shadowing.test(path)

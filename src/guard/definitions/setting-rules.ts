/** Lists the settings that make checks weaker, by file and direction. */
import type { TamperKind } from '../../model/tamper.ts'
import { either } from '../pattern.ts'

export type Weaker =
  | 'lower'
  | 'higher'
  /** A higher number than before, where an absent value counts as 0. */
  | 'raised'
  /** `grown`: a list of exclusions has more entries. `shrunk`: a list of inclusions has fewer. */
  | 'grown'
  | 'shrunk'
  /** `off`: a setting was switched off. `on`: it was switched on. */
  | 'off'
  | 'on'
  /** The severity of a rule decreased. */
  | 'severity'
  /** Options or commands became weaker. */
  | 'command'

export interface SettingRule {
  files: RegExp
  key: RegExp
  weaker: Weaker
  kind: TamperKind
}

/** Matches files by name, in any folder. */
const named = (...patterns: readonly RegExp[]): RegExp => new RegExp(`(?:^|/)(?:${either(...patterns).source})$`)
/** Matches settings by their last key. */
export const settings = (names: string): RegExp => new RegExp(`(?:^|\\.)(?:${names.replaceAll(' ', '|')})$`)

/** Configuration files of test runners. */
export const runner = named(
  /(?:jest|vitest|vite|playwright|karma|cypress|wdio|ava)[\w.-]*\.(?:[cm]?[jt]s|json)/,
  /\.(?:mocharc|nycrc|c8rc|taprc)[\w.]*/,
  /package\.json/,
  /bunfig\.toml/,
  /deno\.jsonc?/,
)
const typescript = named(/(?:tsconfig|jsconfig)[\w.-]*\.json/)
const lint = named(
  /\.eslintrc[\w.]*/,
  /eslint\.config\.\w+/,
  /biome\.jsonc?/,
  /\.?oxlintrc[\w.]*/,
  /\.stylelintrc[\w.]*/,
  /package\.json/,
)
const python = named(
  /pyproject\.toml/,
  /setup\.cfg/,
  /tox\.ini/,
  /\.?pytest\.ini/,
  /\.coveragerc/,
  /\.?ruff\.toml/,
  /\.flake8/,
  /\.?mypy\.ini/,
  /\.?pylintrc/,
  /pyrightconfig\.json/,
)
const others = named(/\.?codecov\.ya?ml/, /\.golangci\.\w+/, /\.rubocop\w*\.yml/, /Cargo\.toml/, /phpstan\.neon/)

const left = settings(
  'testPathIgnorePatterns modulePathIgnorePatterns exclude testIgnore ignore ignoredFiles excludeSpecPattern',
)
const searched = settings('testMatch include spec roots testRegex projects specPattern testDir')
const lenient = settings(
  'passWithNoTests dangerouslyIgnoreUnhandledErrors allowOnly testNamePattern grep grepInvert update(?:Snapshots)?',
)
const strict = either(
  /^compilerOptions\.strict\w*$/,
  /^compilerOptions\.no(?!Emit$|Lib$|Resolve$)\w+$/,
  /^compilerOptions\.(?:exactOptionalPropertyTypes|useUnknownInCatchVariables|alwaysStrict|checkJs)$/,
)
const commands = either(
  /pytest.*\.addopts$/,
  settings('commands commands_pre'),
  /(?:poe\.tasks|taskipy\.tasks|pdm\.scripts|hatch\..*scripts)\.[\w-]+/,
)
const unlinted = settings('ignores ignorePatterns globalIgnores eslintIgnore files\\.ignore')
const strictPython = either(
  /pytest.*\.xfail_strict$/,
  /mypy.*\.(?:strict\w*|disallow_\w+|check_untyped_defs|warn_\w+|no_implicit_optional)$/,
)
const ignoredRules = settings(
  'ignore extend-ignore extend_ignore exclude extend-exclude per-file-ignores(?:\\..*)? disable',
)

export const settingRules: readonly SettingRule[] = [
  { files: runner, key: settings('branches functions lines statements'), weaker: 'lower', kind: 'threshold-lowered' },
  { files: runner, key: settings('check-coverage perFile per-file'), weaker: 'off', kind: 'threshold-lowered' },
  { files: runner, key: settings('coveragePathIgnorePatterns'), weaker: 'grown', kind: 'threshold-lowered' },
  { files: runner, key: left, weaker: 'grown', kind: 'check-changed' },
  { files: runner, key: searched, weaker: 'shrunk', kind: 'check-changed' },
  { files: runner, key: settings('retry retries retryTimes'), weaker: 'raised', kind: 'check-changed' },
  { files: runner, key: lenient, weaker: 'on', kind: 'check-changed' },
  {
    files: runner,
    key: settings('forbidOnly forbidPending forbid-only forbid-pending'),
    weaker: 'off',
    kind: 'check-changed',
  },
  { files: typescript, key: strict, weaker: 'off', kind: 'check-changed' },
  { files: typescript, key: /^exclude$/, weaker: 'grown', kind: 'check-changed' },
  { files: typescript, key: /^(?:include|files)$/, weaker: 'shrunk', kind: 'check-changed' },
  { files: lint, key: /(?:^|\.)rules\./, weaker: 'severity', kind: 'check-changed' },
  { files: lint, key: unlinted, weaker: 'grown', kind: 'check-changed' },
  { files: lint, key: /^(?:linter|formatter)\.enabled$/, weaker: 'off', kind: 'check-changed' },
  { files: python, key: settings('fail_under fail-under'), weaker: 'lower', kind: 'threshold-lowered' },
  { files: python, key: settings('omit exclude_lines exclude_also'), weaker: 'grown', kind: 'threshold-lowered' },
  { files: python, key: commands, weaker: 'command', kind: 'check-changed' },
  {
    files: python,
    key: /pytest.*\.(?:norecursedirs|collect_ignore|collect_ignore_glob)$/,
    weaker: 'grown',
    kind: 'check-changed',
  },
  {
    files: python,
    key: /pytest.*\.(?:testpaths|python_files|python_functions|python_classes)$/,
    weaker: 'shrunk',
    kind: 'check-changed',
  },
  { files: python, key: strictPython, weaker: 'off', kind: 'check-changed' },
  { files: python, key: settings('ignore_outcome ignore_errors'), weaker: 'on', kind: 'check-changed' },
  { files: python, key: ignoredRules, weaker: 'grown', kind: 'check-changed' },
  { files: python, key: settings('select extend-select'), weaker: 'shrunk', kind: 'check-changed' },
  { files: python, key: settings('max-complexity'), weaker: 'higher', kind: 'threshold-lowered' },
  { files: others, key: settings('target'), weaker: 'lower', kind: 'threshold-lowered' },
  { files: others, key: settings('threshold'), weaker: 'higher', kind: 'threshold-lowered' },
  { files: others, key: settings('informational'), weaker: 'on', kind: 'threshold-lowered' },
  {
    files: others,
    key: settings('disable exclude exclude-rules skip-dirs ignoreErrors Exclude'),
    weaker: 'grown',
    kind: 'check-changed',
  },
  { files: others, key: settings('enable'), weaker: 'shrunk', kind: 'check-changed' },
  { files: others, key: settings('Enabled lib\\.test bin\\.test test\\.test'), weaker: 'off', kind: 'check-changed' },
  { files: others, key: settings('lib\\.harness test\\.harness'), weaker: 'off', kind: 'check-changed' },
]

/** Detects whether a command of a check became weaker. */
import { either, wordSet } from '../pattern.ts'

/** Programs by purpose. */
const purposes: readonly [purpose: string, programs: ReadonlySet<string>][] = [
  [
    'tests',
    wordSet(
      'jest vitest mocha ava tap tape c8 nyc karma cypress playwright uvu jasmine qunit',
      'pytest py.test unittest nose nose2 tox nox rspec',
      'minitest phpunit pest ctest bats ginkgo gotestsum nextest behave codecept wdio web-test-runner wtr testcafe',
    ),
  ],
  [
    'lint',
    wordSet(
      'eslint oxlint biome tslint standard xo stylelint ruff flake8 pylint rubocop golangci-lint clippy phpstan psalm',
      'credo shellcheck hadolint knip bandit checkstyle ktlint swiftlint',
    ),
  ],
  ['types', wordSet('tsc vue-tsc tsgo mypy pyright flow sorbet dialyzer attw tsd')],
  ['format', wordSet('prettier black gofmt rustfmt isort dprint')],
]
const subcommands: readonly [purpose: string, command: RegExp][] = [
  [
    'tests',
    either(
      /\bnode\b[^&|;]*--test\b/,
      /\b(?:go|cargo|mix|dotnet|bun|deno|swift|flutter|dart|zig|gleam|rails|rake)\b[^&|;]*\b(?:test|tests|check)\b/,
      /\b(?:sbt|lein|ng|nx|turbo|composer|bazel|cabal|stack)\b[^&|;]*\b(?:test|tests|verify|check)\b/,
      /\b(?:mvn|mvnw|gradle|gradlew)\b[^&|;]*\b(?:test|tests|verify|check)\b/,
    ),
  ],
  ['lint', /\b(?:cargo clippy|go vet|(?:ng|nx|turbo|deno) (?:run )?lint)\b/],
  ['types', /\bcargo check\b/],
  ['format', /\b(?:cargo fmt|mix format|go fmt|dart format|deno fmt)\b/],
]
const passing: readonly [what: string, sign: RegExp][] = [
  ['|| true', /\|\|\s*(?:true|:|exit\s+0|echo\b|\(exit 0\))/],
  ['; true', /;\s*(?:true|:|exit\s+0)\s*(?:$|\))/],
  ['set +e', /\bset \+e\b/],
  ['exit 0', /(?:^|&&|;|\n|\bthen|\belse|\bdo|\{)\s*exit\s+0\b/],
  ['; echo', /;\s*(?:echo|printf)\b[^;&|\n]*$/],
  ['|', /(?<!\|)\|\s*(?:cat|tee|head|tail|less|more|sort|sed|awk|grep|wc|tr|xargs)\b(?![^]*\bpipefail\b)/],
  ['&', /(?<![&>|<\d])&(?![&>\d])/],
]
/** The shell stops at the first failure. */
const strictShell = /\bset\s+-\w*e|\bset\s+-o\s+errexit|^#!.{0,60}\s-\w*e/m
/** Flags that make a run cover less, or pass where it would fail. */
const narrowing = flags(
  /--pass-?[wW]ith-?[nN]o-?[tT]ests|--testPathIgnorePatterns|--exclude\b|--ignore(?:-glob)?(?=[\s=])/,
  /--ignore-pattern|--deselect|-k(?=\s)|-t(?=\s+['"\w])|--testNamePattern|--grep|--invert|--skip\b/,
  /-u(?=\s|$)|--update(?:-?[sS]napshots?)?|--snapshot-update|-DskipTests\S*/,
  /-Dmaven\.test\.(?:skip|failure\.ignore)\S*|--exit-zero|--if-present|-run(?=[\s=])|--no-run|--collect-only/,
  /--listTests|--list\b|--dry-run|--only[cC]hanged|--changed\b|--lf\b|--last-failed|--help|--version|-x test/,
  /--skip-tests?|--no-verify/,
  /--ignore-failures?|--allow-failures?|--continue-on-error|--keep-going|--no-fail\S*|--suppress-\S+|--exclude-task/,
)
/** Flags that make a run stricter; a number after them is a threshold. */
const demanding = flags(
  /(?:--max-warnings|--(?:cov-)?fail-under|--check-coverage|--strict(?:-\w+)?)(?=[\s=]|$)/,
  /(?:-Werror|--deny-warnings|-D warnings|--error-on-warnings|--frozen-lockfile)(?=[\s=]|$)/,
  /(?:--coverage\.thresholds\.\w+|--(?:lines|branches|functions|statements))(?=[\s=]|$)/,
)
function flags(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(`(?:^|\\s)(${either(...patterns).source})`, 'g')
}
const idle = /^(?:ar|ranlib|\$\(AR\)|\$\(RANLIB\)|echo|true|:|exit|sleep|printf|cd|exec|set|export|return|)$/
const launchers = wordSet(
  'npx yarn pnpm bun bunx npm exec run dlx uv poetry pipenv pdm hatch rye bundle python python3 -m --',
  'cross-env dotenv sudo env time -s --silent node',
)

/** `options`: the texts are options of a command, so they need not contain a program. */
export function weakerCommand(before: string, after: string, what: 'command' | 'options' = 'command'): string | null {
  const [was, is] = [before.slice(0, 4000), after.slice(0, 4000)]
  if (was === is) return null
  const [plainWas, plainIs] = [withoutValues(was), withoutValues(is)]
  for (const [name, sign] of passing)
    if (sign.test(plainIs) && !sign.test(plainWas)) return `passes whatever happens: ${name}`
  if (what === 'command' && !isIdle(was) && isIdle(is))
    return ['runs nothing any more', is.trim().slice(0, 80)].filter(Boolean).join(': ')
  if (strictShell.test(was) && !strictShell.test(is)) return 'continues after a failure: no longer has set -e'
  const known = (was.match(narrowing) ?? []).map((flag) => flag.trim())
  for (const flag of (is.match(narrowing) ?? []).map((each) => each.trim())) {
    const at = known.indexOf(flag)
    if (at < 0) return `now has ${flag}`
    known.splice(at, 1)
  }
  return laxer(was, is) ?? (what === 'command' ? (lostPurpose(was, is) ?? fewerPaths(was, is)) : null)
}

/**
 * Removes command substitutions: a pipe inside one does not hide the result of the check. One that filters, such as
 * `$(ls test | grep -v cart)`, can make a run cover less; it stays unless it only sets a variable and lists no files.
 */
const withoutValues = (command: string): string =>
  command.replace(/(\w=\\?["']?)?\$\(([^()]{0,500})\)/g, (whole, set: string | undefined, inner: string) => {
    const filters = /\|\s*(?:head|tail|sed|awk|grep)\b/.test(inner)
    const lists = /\b(?:find|fd|ls|ls-files|diff|cat|echo|printf)\b/.test(inner)
    return filters && (set === undefined || lists) ? whole : `${set ?? ''}value`
  })

/** Returns a strict flag that was removed, or whose threshold became weaker. */
function laxer(was: string, is: string): string | null {
  const now = demands(is)
  for (const [name, value] of demands(was)) {
    const after = now.get(name)
    if (after === undefined) return `no longer has ${name}`
    if (value === null || after === null) continue
    if (name === '--max-warnings' ? after > value : after < value) return `${name} ${value} → ${after}`
  }
  return null
}

function demands(command: string): Map<string, number | null> {
  return new Map(
    [...command.matchAll(demanding)].map((match) => {
      const value = /^[\s=]+(-?[\d.]+)/.exec(
        command.slice(match.index + match[0].length, match.index + match[0].length + 20),
      )?.[1]
      return [match[1] ?? '', value === undefined ? null : Number(value)]
    }),
  )
}

export const segments = (command: string): string[] =>
  command
    .split(/&&|\|\||[;|\n]|&/)
    .map((part) => part.trim())
    .filter(Boolean)

/** Returns the words of a command without launchers and assignments. */
function wordsOf(segment: string): string[] {
  const words = segment.split(/\s+/)
  while (words.length > 1 && (launchers.has(words[0] ?? '') || /^\w+=/.test(words[0] ?? ''))) words.shift()
  return words
}

export const programOf = (segment: string): string =>
  (wordsOf(segment)[0] ?? '').replace(/^.*\/(?=.)/, '').replace(/@[\w.]+$/, '')

const doesNothing = (segment: string): boolean =>
  idle.test(programOf(segment)) || /^node\s+(?:-e|--eval)\b/.test(segment)
const isIdle = (command: string): boolean => segments(command).every(doesNothing) && !/\bexit [1-9]/.test(command)

export function purposesOf(command: string): Set<string> {
  const found = new Set<string>()
  for (const segment of segments(command.slice(0, 4000))) {
    if (/\binstall\b/.test(segment)) continue
    const run = segment.replace(/^(?:\w+=\S*\s+)+/, '')
    const words = wordsOf(segment)
      .slice(0, 6)
      .map((word) => word.replace(/^.*\//, ''))
    const measured = /^(?:c8|nyc|coverage)$/.test(words[0] ?? '')
    const started = measured ? words : words.slice(0, 1)
    for (const [purpose, programs] of purposes) if (started.some((word) => programs.has(word))) found.add(purpose)
    for (const [purpose, subcommand] of subcommands) if (subcommand.test(run)) found.add(purpose)
  }
  return found
}

const allPurposesOf = (command: string): Set<string> =>
  new Set([...purposesOf(command), ...purposesOf(withoutValues(command))])

function lostPurpose(was: string, is: string): string | null {
  const now = allPurposesOf(is)
  const lost = [...purposesOf(was)].find((purpose) => !now.has(purpose))
  return lost === undefined ? null : `no longer runs ${lost}: ${was.slice(0, 80)} → ${is.slice(0, 80)}`
}

/** A program that was built in the repository. */
const built = /^\.\/[\w./$@-]+(?:\s|$)/

/** Returns a step that was removed without another one of the same program in its place. */
export function lostStep(was: string, is: string): string | null {
  const now = [...segments(is), ...segments(withoutValues(is))]
  const [kept, programs, purposes] = [new Set(now), new Set(now.map(programOf)), allPurposesOf(is)]
  const before = new Set(segments(was))
  // A built test program may run under another name.
  const isReplaced = (step: string): boolean =>
    built.test(step) && now.some((other) => built.test(other) && !before.has(other))
  const isKept = (step: string): boolean => kept.has(step) || programs.has(programOf(step)) || isReplaced(step)
  const lost = [...before].find(
    (step) =>
      !isKept(step)
      && !doesNothing(step)
      && (purposesOf(step).size === 0 || [...purposesOf(step)].some((purpose) => !purposes.has(purpose))),
  )
  return lost === undefined ? null : `no longer runs ${lost.slice(0, 80)}`
}

/** Returns the paths that a runner no longer covers. */
function fewerPaths(was: string, is: string): string | null {
  const [before, after] = [pathsOf(was), pathsOf(is)]
  if (before === null || after === null) return null
  const isCovered = (path: string): boolean => after.includes(path) || isWithin(path, after, is)
  const [gone, come] = [before.filter((path) => !isCovered(path)), after.filter((path) => !before.includes(path))]
  // Another runner may need paths that this one finds by itself.
  if (before.length === 0 && come.length > 0 && runOf(was)?.[0] !== runOf(is)?.[0]) return null
  if (before.length === 0 && come.length > 0) return `now only looks at ${come.join(' ').slice(0, 80)}`
  return gone.length > come.length && after.length > 0 ? `no longer looks at ${gone.join(' ').slice(0, 80)}` : null
}

/** Programs that search the folders they are given, with all folders below. */
const searching = wordSet(
  'eslint oxlint biome tslint standard xo ruff flake8 pylint rubocop phpstan psalm bandit ktlint swiftlint',
  'pytest py.test jest vitest ava',
)

/** Whether a program that searches folders is now given a folder that contains the path. */
function isWithin(path: string, folders: readonly string[], command: string): boolean {
  const program = (runOf(command)?.[0] ?? '').replace(/^.*\//, '')
  if (!searching.has(program) && !/\s(?:--recursive|-r)(?=\s|$)/.test(command)) return false
  const plain = (word: string): string => word.replace(/^\\?["']|\\?["']$/g, '').replace(/^\.\//, '')
  return folders.map(plain).some((folder) => {
    const stem = folder.replace(/\/$/, '')
    return stem === '.' || stem === '' || plain(path).startsWith(`${stem}/`)
  })
}

/** Returns the words of the only test or lint run of a command; null when there is not exactly one. */
function runOf(command: string): string[] | null {
  const isTestOrLint = (segment: string): boolean =>
    purposes.slice(0, 2).some(([, programs]) => programs.has(programOf(segment)))
  const runs = segments(command).filter((segment) => isTestOrLint(segment) && !/\binstall\b/.test(segment))
  return runs.length === 1 ? wordsOf(runs[0] ?? '') : null
}

/** Returns the paths passed to the only test or lint run of a command; null when there is not exactly one. */
export function pathsOf(command: string): string[] | null {
  const run = runOf(command)
  if (run === null) return null
  const [program = '', ...words] = run
  const commanded = /(?:vitest|playwright|biome|ruff|cypress|golangci-lint)$/.test(program)
  if (commanded && /^(?:run|test|check|lint|watch)$/.test(words[0] ?? '')) words.shift()
  return words.filter((word, index) => /^[\w.'"*{]/.test(word) && !/^--?[\w-]+$/.test(words[index - 1] ?? ''))
}

/** The ways out of a check that cannot run or is red on the base: each with the exact command. */
import type { CannotRun } from '../../model/cannot-run.ts'
import type { CheckConfig, RunConfig } from '../../model/config.ts'
import type { BaselineCheck } from '../../model/convergence.ts'
import { placeholders, type Remedy } from '../../model/pause.ts'
import { shellWord } from '../../model/shell-word.ts'
import type { RunState } from '../../model/state.ts'

function setting(text: string, key: string, value: string | string[]): Remedy {
  const words = typeof value === 'string' ? [value] : value.length === 0 ? ['[]'] : value
  return { text, command: ['looper config set', key, ...words.map(shellWord)].join(' '), set: { key, value } }
}

const outside = (text: string): Remedy => ({ text, command: null })

const switchOff = setting('Switch the checks off: everything is then unverified', 'checks', [])

/**
 * Another command for the check, and the list without it. No journal records the variables of a check and no text may
 * show a held-out one: `config set` keeps these for a list with JSON objects.
 */
function otherChecks(checks: readonly CheckConfig[], name: string): Remedy[] {
  const shown = checks.filter(({ hidden }) => hidden !== true)
  const others = shown.filter((check) => check.name !== name)
  const another = shown.map((check) => (check.name === name ? { ...check, run: placeholders.command } : check))
  const hasHidden = shown.length < checks.length
  const written = ({ name, run, ...rest }: CheckConfig): string =>
    name === run && Object.keys(rest).length === 0 && !hasHidden ? run : JSON.stringify({ name, run, ...rest })
  return [
    setting(
      `Give ${name} another command`,
      'checks',
      others.length === 0 ? [placeholders.command] : another.map(written),
    ),
    others.length === 0 ? switchOff : setting(`Drop the check ${name}`, 'checks', others.map(written)),
  ]
}

/** The commands that install the dependencies of a project, by the first word of a check. */
const installers: readonly [RegExp, string][] = [
  [/^(?:npm|npx|node|vitest|jest|mocha|ava|tsc|eslint)$/, 'npm install'],
  [/^(?:pnpm|yarn|bun)$/, '$0 install'],
  [/^(?:bundle|rake|rspec|ruby)$/, 'bundle install'],
  [/^(?:composer|php|phpunit|vendor\/bin\/\w+)$/, 'composer install'],
  [/^(?:mix|elixir)$/, 'mix deps.get'],
  [/^(?:cargo)$/, 'cargo fetch'],
  [/^(?:go)$/, 'go mod download'],
  [/^(?:dotnet)$/, 'dotnet restore'],
]

function installerFor(command: string): string | null {
  const [word = ''] = command.trim().split(/\s+/)
  const found = installers.find(([pattern]) => pattern.test(word))
  return found ? found[1].replace('$0', word) : null
}

/** What a package manager installs belongs to the project; Python also finds the packages of its installation. */
function installed(command: string, subject: string): string {
  if (installerFor(command) !== null)
    return `Add ${subject} to the dependencies of the project, commit it, and start another run`
  const [word = ''] = command.trim().split(/\s+/)
  return /(?:^|\/)python[\d.]*$/.test(word) ? `Install ${subject} for ${word}` : `Install the package ${subject}`
}

function setUp({ workspace: { setup } }: RunConfig, command: string): Remedy[] {
  const install = installerFor(command)
  if (install === null || setup?.includes(install) === true) return []
  return [setting('Have the set-up install it in each workspace', 'workspace.setup', [...(setup ?? []), install])]
}

function copied({ workspace: { copy } }: RunConfig, { subject, inCheckout }: CannotRun): Remedy {
  return inCheckout
    ? setting(`Copy ${subject} from your checkout into each workspace`, 'workspace.copy', [...copy, subject])
    : outside(`Create ${subject} in your checkout`)
}

/** A file that the check reads, the user's own variable, or a value for the check alone. */
function variable({ checks, workspace: { copy } }: RunConfig, check: string, cause: CannotRun): Remedy[] {
  const { subject, setIn, withheld } = cause
  const shown = checks.filter(({ hidden }) => hidden !== true)
  const adding = (text: string, more: Pick<CheckConfig, 'env' | 'pass'>): Remedy =>
    setting(
      text,
      'checks',
      shown.map((each) => JSON.stringify(each.name === check ? { ...each, ...more } : each)),
    )
  const files =
    setIn === undefined
      ? []
      : [setting(`Copy ${setIn}, which sets ${subject}, into each workspace`, 'workspace.copy', [...copy, setIn])]
  if (!shown.some(({ name }) => name === check)) return files
  return [
    ...files,
    ...(withheld ? [adding(`Pass your ${subject} on to ${check}`, { pass: [subject] })] : []),
    adding(`Give ${check} a value of ${subject}`, { env: { [subject]: placeholders.value } }),
  ]
}

/** Without the baseline the run starts, and the check must be green on what the tasks leave. */
const withoutBase = (purpose: string): Remedy =>
  setting(`Start without the checks on the base, if the goal is to ${purpose}`, 'baseline', 'off')

/** Whether the goal names the missing script, target or file, so that a task probably creates it. */
function isNamedIn(goal: string, subject: string): boolean {
  const [first = '', ...others] = subject.toLowerCase().split(/[^a-z\d]+/)
  const stem = [first, ...others].map((word) => word.replace(/s$/, '')).join('[^a-z\\d]+')
  return stem !== '' && new RegExp(`(?:^|[^a-z\\d])${stem}(?:s|ing)?(?:$|[^a-z\\d])`).test(goal.toLowerCase())
}

function missingTarget(goal: string, subject: string): Remedy[] {
  const byHand = outside(`Add ${subject} to the project, commit it, and start another run`)
  const byTask = withoutBase(`add ${subject}`)
  return isNamedIn(goal, subject) ? [byTask, byHand] : [byHand, byTask]
}

/** The remedies that fit the cause, the best one first. */
export function remediesFor(
  { config, goal }: Pick<RunState, 'config' | 'goal'>,
  check: string,
  command: string,
  cause: CannotRun,
): Remedy[] {
  const others = otherChecks(config.checks, check)
  switch (cause.kind) {
    case 'program':
      return [outside(`Install ${cause.subject}`), ...setUp(config, command), ...others]
    case 'module':
      return [...setUp(config, command), outside(installed(command, cause.subject)), ...others]
    case 'target':
      return [...missingTarget(goal, cause.subject), ...others]
    case 'env-file':
      return [copied(config, cause), ...others]
    case 'variable':
      return [...variable(config, check, cause), ...others]
    case 'no-tests':
      return [withoutBase('write the first tests'), ...others]
    case 'port':
      return [
        outside(`Stop the program that uses ${cause.subject === 'a port' ? 'the port' : `port ${cause.subject}`}`),
        ...others,
      ]
    case 'setup':
      return [outside('Make the set-up succeed with these changes'), ...others]
    case 'network':
      return [outside(`Make ${cause.subject} reachable, or let the set-up fetch what the check needs`), ...others]
  }
}

/**
 * For a base on which checks run and fail, and none can prove anything. `no-worse` is no way out: it needs a test that
 * passes beside the failed ones. `mayRepair`: a task can be added that repairs the checks.
 */
export function remediesForRed(
  config: RunConfig,
  red: readonly BaselineCheck[],
  { mayRepair }: { mayRepair: boolean },
): Remedy[] {
  const [first] = red
  const repair = setting('Repair the checks first: a task of its own comes before all others', 'baseline', 'fix-first')
  return [
    ...(mayRepair ? [repair] : []),
    ...(first ? otherChecks(config.checks, first.check).slice(0, 1) : []),
    switchOff,
    outside('Repair it in your branch, and start another run: this one stays on its commit'),
  ]
}

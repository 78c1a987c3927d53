/** The card before a run: what will happen, with which permissions, and within which limits. */
import type { CheckConfig, Limits, RunConfig } from '../../model/config.ts'
import { maxPassesOf, type Pipeline } from '../../model/loop.ts'
import type { RunState } from '../../model/state.ts'
import { duration, money, plural } from '../text/format.ts'
import { noPaint, type Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'
import { facts } from '../facts/progress.ts'
import { namedRows, type Width } from '../text/rows.ts'

export interface CardInput {
  /** Null when there is no run, as with `--dry-run`. */
  run: string | null
  goal: string
  workflow: string
  /** `from` says why this agent is used: "configured", "the installed one", "--agent". */
  agent: { name: string; model: string | null; from: string }
  /** Roles with a different agent or model. */
  roles: { role: string; agent: string; model: string | null }[]
  /** Agents that take over when work stalls, attempts race or a quota ends. */
  reserve?: string[]
  /** `from` says where the checks come from: "configured", "found in package.json". */
  checks: { list: CheckConfig[]; from: string }
  setup: string[]
  review: boolean
  branch: string
  base: { commit: string; branch: string | null }
  mode: 'worktree' | 'in-place'
  /** For a pipeline: the maximum number of passes per stage. */
  stages?: { name: string; most: number; isTasks: boolean }[]
  parallel: number
  limits: Limits
  sandbox: 'off' | 'os'
  /** The sandbox is off because it does not work here, not because of a setting. */
  hasNoSandbox?: boolean
  /** A backlog file that does not exist yet: an agent writes it first, from the goal or from what it finds. */
  writes?: { file: string; from: 'goal' | 'repository' }
  /** Number of changed files in the user's checkout. */
  uncommitted: number
}

/** The stages of a run that has begun. */
export const stagesOf = (pipeline: Pipeline | null): NonNullable<CardInput['stages']> =>
  (pipeline?.stages ?? []).map((stage) => ({
    name: stage.name,
    most: maxPassesOf(stage),
    isTasks: stage.completion.kind === 'tasks-empty',
  }))

export const cardOfRun = ({ run, goal, workflow, branch, base, config, pipeline }: RunState): CardInput => ({
  stages: stagesOf(pipeline),
  run,
  goal,
  workflow,
  branch,
  base,
  setup: [],
  uncommitted: 0,
  review: config.review,
  mode: config.workspace.mode,
  parallel: config.parallel,
  sandbox: config.sandbox ?? 'off',
  agent: { name: config.agent, model: config.agents[config.agent]?.model ?? null, from: began },
  roles: rolesOf(config),
  reserve: reserveOf(config),
  checks: { list: config.checks, from: began },
  limits: config.limits,
})

const began = 'as the run was started'

export const rolesOf = (config: RunConfig): CardInput['roles'] =>
  Object.entries(config.roles).flatMap(([role, preferred]) =>
    preferred === undefined ? [] : [{ role, agent: preferred.agent ?? config.agent, model: preferred.model ?? null }],
  )

/** Every agent of a schedule, fallback or of the user's own that a turn may be given to. */
export function reserveOf({ agent, agents, roles, rotation }: RunConfig): string[] {
  const usual = [agent, ...Object.values(roles).flatMap((role) => role?.agent ?? [])]
  const own = Object.keys(agents).filter((name) => agents[name]?.command ?? agents[name]?.acp ?? agents[name]?.script)
  const all = [...usual.flatMap((name) => agents[name]?.fallback ?? []), ...rotation, ...own]
  return [...new Set(all)].filter((name) => !usual.includes(name))
}

/** `isAgreed`: the person has just read the lines that the card shares with the question before it. */
export function card(
  input: CardInput,
  paint: Paint = noPaint,
  width: Width = null,
  { isAgreed = false }: { isAgreed?: boolean } = {},
): string {
  const rows: [string, string][] = [
    ['goal', plain(input.goal, 200)],
    ['run', facts(input.run, `workflow ${plain(input.workflow, 40)}`)],
    ['stages', stagesText(input)],
    ['backlog', paint.warn(writesText(input))],
    ['agent', agentText(input)],
    ...input.roles.map(({ role, agent, model }): [string, string] => ['', `${role}: ${named(agent, model)}`]),
    ['', reserveText(input)],
    ['checks', isAgreed ? '' : checksText(input, paint)],
    ['review', input.review ? '' : paint.warn('off: checks alone decide')],
    ['setup', input.setup.map((line) => plain(line, 60)).join(' && ')],
    ['branch', branchText(input)],
    ['where', whereText(input)],
    ['limits', limitsText(input.limits)],
    ['rights', isAgreed ? '' : rightsText(input)],
    ['note', uncommittedText(input)],
  ]
  return `${namedRows(rows, paint, width).join('\n')}\n`
}

/** What a run goes on with, when its settings are those it had. */
export function cardLine({ goal, run, workflow }: CardInput, paint: Paint, width: Width): string {
  const row: [string, string] =
    goal === '' ? ['run', facts(run, `workflow ${plain(workflow, 40)}`)] : ['goal', plain(goal, 200)]
  return `${namedRows([row], paint, width).join('\n')}\n`
}

/** What happens when the backlog does not exist; empty when it does. */
export const writesText = ({ writes }: Pick<CardInput, 'writes'>): string =>
  writes === undefined
    ? ''
    : `${plain(writes.file, 80)} does not exist: an agent writes its tasks `
      + `${writes.from === 'goal' ? 'for the goal' : 'from what it finds in the repository'}, then they are carried out`

const named = (agent: string, model: string | null): string =>
  `${plain(agent, 40)}${model === null ? '' : ` (${plain(model, 40)})`}`
const reserveText = ({ reserve = [] }: CardInput): string =>
  reserve.length === 0 ? '' : `when work stalls: ${reserve.map((name) => plain(name, 40)).join(', ')}`
const agentText = ({ agent }: CardInput): string => facts(named(agent.name, agent.model), plain(agent.from, 80))

export function checksText({ checks }: Pick<CardInput, 'checks'>, paint: Paint): string {
  if (checks.list.length === 0 && checks.from === 'discovered')
    return paint.warn('none found: work is unverified, unless the plan brings checks of its own')
  if (checks.list.length === 0) return paint.warn('none: everything will be unverified')
  const names = checks.list.map(({ name, run }) =>
    name === run ? plain(run, 60) : `${plain(name, 30)} (${plain(run, 60)})`,
  )
  return facts(names.join(', '), plain(checks.from, 80))
}

const branchText = ({ branch, base }: CardInput): string =>
  `${branch} from ${base.commit.slice(0, 8)}${base.branch === null ? '' : ` (${plain(base.branch, 60)})`}`

function whereText({ mode, parallel, stages = [] }: CardInput): string {
  if (mode === 'in-place') return 'in place: agents edit your checkout'
  if (stages.length > 0 && !stages.some(({ isTasks }) => isTasks)) return 'one worktree for all iterations'
  return parallel === 1
    ? 'a worktree for each task, one after the other'
    : `a worktree for each task, up to ${parallel} at a time`
}

const stagesText = ({ stages = [] }: CardInput): string =>
  stages.map(({ name, most }) => `${plain(name, 40)} ≤ ${most}`).join(' → ')

function limitsText(limits: Limits): string {
  const known = facts(
    limits.timeMinutes !== null && duration(limits.timeMinutes * 60_000),
    limits.costUsd !== null && money(limits.costUsd),
    limits.tokens !== null && `${limits.tokens} tokens`,
    limits.turns !== null && plural(limits.turns, 'turn'),
    limits.attempts !== null && `${plural(limits.attempts, 'attempt')} a task`,
    limits.fixCycles !== null && `${plural(limits.fixCycles, 'fix', 'fixes')} an attempt`,
  )
  const open = facts(limits.timeMinutes === null && 'no time limit', limits.costUsd === null && 'no cost limit')
  return facts(known, open)
}

export function rightsText({ mode, sandbox, hasNoSandbox = false }: CardInput): string {
  const where = mode === 'worktree' ? 'their worktree' : 'your checkout'
  const seen = 'they see only allowed variables of your environment'
  const off = hasNoSandbox ? 'sandbox off, it does not work here: see `looper doctor`' : 'sandbox off'
  return sandbox === 'os'
    ? `agents run any command in a sandbox (os): they write only to ${where}, caches and their own state; `
        + `credentials are hidden; ${seen}`
    : `agents run any command with your rights, starting in ${where} (${off}); `
        + `changes elsewhere are reported, not prevented; ${seen}`
}

function uncommittedText({ uncommitted, mode }: CardInput): string {
  if (uncommitted === 0) return ''
  const files = plural(uncommitted, 'file')
  return mode === 'worktree'
    ? `${files} with uncommitted changes in your checkout: left alone, and not part of the run`
    : `${files} not committed in your checkout: agents will see and may change them`
}

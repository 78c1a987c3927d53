/**
 * The behaviour of virtual agents. It depends only on the seed and the work id, so repeated work has the same result.
 */
import type { AgentErrorKind } from '../model/agent-error.ts'
import { writes } from '../model/purposes.ts'
import { noUsage, type Usage } from '../model/usage.ts'
import type { TurnOutcome, TurnWork } from '../model/work.ts'
import { isStep, lastStep, stemOf } from '../model/work-id.ts'
import type { Random } from './random.ts'
import { resolved, waysToResolve } from './resolve.ts'
import type { PlannedTask, Scenario } from './scenario.ts'
import { fileOf, specOf, suiteOf } from './virtual-files.ts'
import { ignoredFor, type Files } from './virtual-git.ts'

type Plain<T> = T extends unknown ? Omit<T, 'kind' | 'usage' | 'durationMs' | 'sessionId' | 'edited'> : never
export type Answer = Plain<TurnOutcome>

export interface Behaviour {
  /** Infinity for an agent that never ends: it is killed when it has stalled for too long. */
  durationMs: number
  usage: Usage
  /** The files halfway through the turn. */
  half(files: Files): Files
  /** The final files and the answer. */
  end(files: Files): Left
}

interface Left {
  files: Files
  answer: Answer
}

export interface Circumstances {
  scenario: Scenario
  random: Random
  now: () => number
  /** Whether the user has done what a pause of this kind asked for. */
  isRepaired: (kind: 'auth' | 'wait') => boolean
}

/** The answer of an agent that never ends; it is never delivered. */
const noAnswer: Answer = { status: 'invalid', errors: ['it never ended'], text: '' }

const ok = (result: Record<string, unknown>): Answer => ({ status: 'ok', result })

export function behaviourOf(work: TurnWork, given: Circumstances): Behaviour {
  const random = given.random.fork(work.id)
  const usage = {
    inputTokens: random.int(50, 4_000),
    outputTokens: random.int(10, 900),
    costUsd: random.int(1, 60) / 100,
  }
  const durationMs = random.pick([200, 2_000, 20_000, 90_000]) + random.int(0, 5_000)
  const wrong = random.chance(given.scenario.trouble)
  const failed = isBadStage(work, given) ? crashed : wrong && random.chance(0.45) ? failure(random, given) : null
  const own = writes(work.purpose) ? fileFor(work) : null
  const half = (files: Files): Files => (own === null ? files : { ...files, [own]: 'half' })
  if (failed !== null) {
    return {
      durationMs: failed === 'hangs' ? Infinity : durationMs,
      usage: random.chance(0.3) ? { ...noUsage } : usage,
      half,
      end: (files) => ({ files: half(files), answer: failed === 'hangs' ? noAnswer : failed }),
    }
  }
  return { durationMs, usage, half, end: (files) => roleOf(work, given, random, wrong, files) }
}

/** With trouble, some pipeline stages and reviews fail in every turn. */
const isBadStage = ({ task: id, role, slot }: TurnWork, { random, scenario: { trouble } }: Circumstances): boolean =>
  id === null && role === 'iterator' && trouble > 0 && random.fork(`all of ${stemOf(slot)}`).chance(0.08)

const crashed: Answer = { status: 'error', error: { kind: 'crash', message: 'virtual crash', resetsAt: null } }

/** Ways to end without an answer, or with an invalid one. */
function failure(random: Random, { now, isRepaired, scenario: { config } }: Circumstances): Answer | 'hangs' {
  const error = (kind: AgentErrorKind, resetsInMs: number | null = null): Answer => {
    const resetsAt = resetsInMs === null ? null : new Date(now() + resetsInMs).toISOString()
    return { status: 'error', error: { kind, message: `virtual ${kind}`, resetsAt } }
  }
  const dice = random.int(0, 11)
  if (dice < 3) return error('crash')
  if (dice < 5) return 'hangs'
  if (dice < 7) return { status: 'invalid', errors: ['not JSON'], text: 'garbage' }
  if (dice === 7) return error('overloaded')
  const lifted = config.onUsageLimit === 'pause' && isRepaired('wait')
  if (dice === 8 && !lifted) return error('rate_limited', random.int(1_000, 900_000))
  if (dice === 9) return error('context_overflow')
  if (dice === 10 && !lifted) return error('usage_limit', -1_000)
  return dice === 11 && !isRepaired('auth') ? error('auth') : error('crash')
}

function roleOf(work: TurnWork, given: Circumstances, random: Random, wrong: boolean, files: Files): Left {
  if (work.role === 'coder') return coder(work, given, random, wrong, files)
  if (work.role === 'iterator' && work.purpose !== 'review') return iterator(work, given, random, wrong, files)
  const touched = wrong && random.chance(0.2)
  return {
    files: touched ? { ...files, 'stray.txt': work.role } : files,
    answer: touched || !wrong ? content(work, given, random) : disappointment(work, given, random),
  }
}

function content(work: TurnWork, { scenario }: Circumstances, random: Random): Answer {
  if (work.role === 'judge')
    return ok({ stop: random.chance(0.4), confidence: random.pick([0.4, 0.6, 0.9]), reason: '' })
  if (work.role === 'iterator') return iterated({ status: 'stop', new_tasks: discoveries(scenario, random, 'review') })
  if (work.purpose === 'review-wave') return waveVerdict(scenario, random, 0.1)
  if (work.role === 'supervisor') return verdict(90)
  if (work.role === 'tester')
    return ok({ status: 'passed', total: 3, passed: 3, failed: 0, failures: [], summary: 'green' })
  return work.purpose === 'split' ? planned([task('x'), task('y')]) : planned(scenario.plan.map(taskOf))
}

function disappointment(work: TurnWork, { scenario }: Circumstances, random: Random): Answer {
  if (work.purpose === 'review-wave' && random.chance(0.6)) return waveVerdict(scenario, random, 0.6)
  switch (work.role) {
    case 'supervisor':
      return random.chance(0.08) ? verdict(20, 6) : verdict(random.pick([0, 40, 60]))
    case 'tester':
      return random.chance(0.3)
        ? ok({ status: 'passed', total: 0, failures: [], summary: 'nothing to run' })
        : ok({
            status: 'failed',
            total: 2,
            failed: 1,
            failures: [{ name: 'it works', file: null, error: 'no' }],
            summary: 'red',
          })
    case 'judge':
      return ok({ stop: random.chance(0.5), confidence: random.next(), reason: '' })
    case 'iterator':
      return iterated({
        status: 'done',
        new_tasks: random.chance(0.5) ? [task('more')] : [task('a', ['b']), task('b', ['a'])],
      })
    default:
      if (work.purpose === 'split') return planned([task('alone')])
      return random.chance(0.4)
        ? ok({
            status: 'needs_clarification',
            tasks: [],
            risks: [],
            assumptions: [],
            decisions: [],
            questions: [question(random)],
          })
        : planned([task('a', ['b']), task('b', ['a'])])
  }
}

function coder(work: TurnWork, { scenario }: Circumstances, random: Random, wrong: boolean, found: Files): Left {
  const files = work.purpose === 'resolve-conflict' ? resolved(found, random.pick(waysToResolve)) : found
  const { good, written, id } = hand(work, scenario, files, random)
  if (!wrong) return { files: good(), answer: complete(discoveries(scenario, random, id)) }
  const dice = random.int(0, 9)
  const leans = dice < 1 && scenario.config.workspace.mode === 'worktree'
  if (leans)
    return { files: { ...written('leaning'), [ignoredFor(fileFor(work))]: 'what it needs' }, answer: complete() }
  if (dice < 4) return { files: written('bad'), answer: complete() }
  if (dice < 5) return { files: written(random.chance(0.5) ? 'ugly' : 'sly'), answer: complete() }
  if (dice < 7) return { files, answer: complete() }
  const blocked = { status: 'blocked', blocker: { kind: 'external', reason: 'no network' } }
  if (dice < 8) return { files: written('half'), answer: complete([], blocked) }
  return { files, answer: complete([], { status: 'needs_clarification', questions: [question(random)] }) }
}

/** The files that a writing agent leaves; `good` is the correct content. */
function hand(work: TurnWork, scenario: Scenario, files: Files, random: Random) {
  const id = work.task ?? 'none'
  const mark = work.task === null ? work.slot : `${id} ${work.attempt}`
  const own = scenario.plan.find((entry) => entry.id === id)
  const aside = {
    ...suiteFor(work, scenario, own, files, random),
    ...(own?.asks === 'fix' ? { 'legacy.txt': 'good legacy' } : {}),
  }
  const written = (state: string, more = ''): Files => ({
    ...files,
    ...aside,
    [fileFor(work)]: `${state} ${mark}${more}`,
  })
  const good = (): Files => {
    const clash = own?.clash === true && isFirst(work)
    const breaks =
      own?.breaks !== undefined && isFirst(work) && (work.attempt === 1 || random.fork('breaks').chance(0.4))
    const done = written(
      clash ? 'clash' : 'good',
      `${own?.shared ? ' shares' : ''}${breaks ? ` breaks ${own.breaks}` : ''}`,
    )
    const spec = own?.tests ? { [specOf(id)]: `${own.tests} ${id}` } : {}
    const shared = files['shared.txt'] ?? ''
    return {
      ...done,
      ...spec,
      ...(own?.shared === true && !shared.includes(id) ? { 'shared.txt': `${shared}|${id}` } : {}),
    }
  }
  return { id, written, good }
}

/** The existing tests of the task: weakened, or restored by an agent that does better. */
function suiteFor(
  { task }: TurnWork,
  { unrest, plan }: Scenario,
  own: PlannedTask | undefined,
  files: Files,
  random: Random,
): Files {
  const id = task ?? plan[0]?.id
  if (unrest === undefined || id === undefined || files[suiteOf(id)] === undefined) return {}
  const weakens = random.fork('suite').chance(own?.asks === 'weaken' ? 0.7 : unrest.tampering)
  return { [suiteOf(id)]: weakens ? `weakened by ${id}` : 'tests' }
}

const isFirstOf = (slot: string): boolean => isStep(slot, 'iterate') && lastStep(slot)?.nth === null

/** The first implementation, not a fix. */
const isFirst = ({ purpose, slot }: TurnWork): boolean =>
  purpose === 'implement' || purpose === 'scaffold' || isFirstOf(slot)

/** A task of a backlog, or a pass of a loop. */
function iterator(work: TurnWork, { scenario }: Circumstances, random: Random, wrong: boolean, files: Files): Left {
  const { good, written, id } = hand(work, scenario, files, random)
  if (!wrong && work.task === null) return passed(random, files, good)
  if (!wrong)
    return { files: good(), answer: iterated({ task_id: work.task, new_tasks: discoveries(scenario, random, id) }) }
  const dice = random.int(0, 13)
  if (dice < 3) return { files: written('bad'), answer: iterated() }
  if (dice < 4) return { files: written('ugly'), answer: iterated({ plateau: true }) }
  if (dice < 5) return { files, answer: iterated() }
  if (dice < 6) return { files: good(), answer: iterated({ task_id: 'T-none' }) }
  if (dice < 7) return { files: written('half'), answer: iterated({ status: 'continue' }) }
  if (dice < 8) return { files, answer: iterated({ status: 'skipped', summary: 'not needed' }) }
  if (dice < 10) return { files: written('half'), answer: iterated({ status: 'blocked', blockers: ['no network'] }) }
  if (dice < 11) return { files, answer: iterated({ status: 'stop' }) }
  return { files, answer: iterated({ status: 'blocked', questions: [question(random)] }) }
}

/** A successful pass may find nothing to do and report that. */
function passed(random: Random, files: Files, good: () => Files): Left {
  const plateau = random.chance(0.4)
  const status = random.pick(['done', 'done', 'done', 'continue', 'stop', 'skipped'])
  return {
    files: plateau && random.chance(0.5) ? files : good(),
    answer: iterated({ status, plateau, output: 'for those after me' }),
  }
}

const iterated = (more: Record<string, unknown> = {}): Answer =>
  ok({
    task_id: null,
    status: 'done',
    summary: 'done',
    files: [],
    blockers: [],
    new_tasks: [],
    patterns: [],
    decisions: [],
    questions: [],
    ...more,
  })

const discoveries = ({ discovery }: Scenario, random: Random, id: string): Record<string, unknown>[] =>
  discovery && random.chance(0.2) ? [task(`found by ${id}`)] : []

const complete = (newTasks: Record<string, unknown>[] = [], more: Record<string, unknown> = {}): Answer =>
  ok({ status: 'complete', summary: 'done', files: [], decisions: [], questions: [], newTasks, ...more })

const question = (random: Random): Record<string, unknown> => ({
  text: 'Which one?',
  options: ['this', 'that'],
  default: random.chance(0.5) ? 'this' : null,
  blocks: [],
})

const verdict = (score: number, issues = 0): Answer =>
  ok({
    score,
    summary: `score ${score}`,
    missing: [],
    feedback: '',
    issues: Array.from({ length: issues }, () => ({ severity: 'critical', message: 'wrong' })),
  })

/** The wave as a whole is accepted; each task gets its own verdict. */
const waveVerdict = ({ plan }: Scenario, random: Random, turnsDown: number): Answer =>
  ok({
    score: 90,
    summary: 'a wave',
    missing: [],
    feedback: '',
    issues: [],
    verdicts: plan
      .filter(() => random.chance(0.5))
      .map(({ id }) => ({ task: id, approved: !random.chance(turnsDown), feedback: 'not like that' })),
  })

const planned = (tasks: Record<string, unknown>[]): Answer =>
  ok({ status: 'plan', tasks, risks: [], assumptions: [], decisions: [], questions: [] })

const task = (id: string, dependsOn: string[] = [], checks: string[] = []): Record<string, unknown> => ({
  id,
  title: id,
  description: '',
  complexity: 'simple',
  type: null,
  dependsOn,
  criteria: [],
  checks,
  files: [],
  priority: null,
})

const taskOf = ({
  id,
  dependsOn,
  checks,
  priority,
  files = [],
  complexity = 'simple',
  asks,
  allows,
}: PlannedTask): Record<string, unknown> => ({
  ...task(id, dependsOn, checks),
  files,
  complexity,
  ...(asks ? { title: titles[asks] } : {}),
  ...(allows ? { allows } : {}),
  ...(priority === undefined ? {} : { priority }),
})

/** Wording that Looper reads as an instruction, or as a permission if a person wrote it. */
export const titles = { fix: 'Fix the failing test', weaken: 'Remove the old tests' } as const

/** All passes of one pipeline stage write the same file. */
const fileFor = ({ task: id, slot }: TurnWork): string => fileOf(id ?? stemOf(slot))

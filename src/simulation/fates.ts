/**
 * The behavior of virtual agents. It depends only on the seed and the work id, so repeated work has the same result.
 */
import type { AgentErrorKind } from '../model/agent-error.ts'
import type { PauseKind } from '../model/pause.ts'
import { writes } from '../model/purposes.ts'
import { noUsage, type Usage } from '../model/usage.ts'
import type { TurnWork } from '../model/work.ts'
import { stemOf } from '../model/work-id.ts'
import type { Random } from './random.ts'
import type { Scenario } from './scenario.ts'
import {
  discoveries,
  iterated,
  ok,
  planned,
  question,
  task,
  taskOf,
  verdict,
  waveVerdict,
  type Answer,
} from './virtual-answers.ts'
import type { Files } from './virtual-git.ts'
import { coder, fileFor, iterator, type Left } from './virtual-writers.ts'

export interface Behavior {
  /** Infinity for an agent that never ends: it is killed when it has stalled for too long. */
  durationMs: number
  usage: Usage
  /** The files halfway through the turn. */
  half(files: Files): Files
  /** The final files and the answer. */
  end(files: Files): Left
}

export interface Circumstances {
  scenario: Scenario
  random: Random
  now: () => number
  /** Whether the user has done what a pause of this kind asked for. */
  isRepaired: (kind: PauseKind) => boolean
}

/** The answer of an agent that never ends; it is never delivered. */
const noAnswer: Answer = { status: 'invalid', errors: ['it never ended'], text: '' }

export function behaviorOf(work: TurnWork, given: Circumstances): Behavior {
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
  if (work.role === 'coder') return coder(work, given.scenario, random, wrong, files)
  if (work.role === 'iterator' && work.purpose !== 'review') return iterator(work, given.scenario, random, wrong, files)
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

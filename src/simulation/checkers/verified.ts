/** Laws of verification: everything that lands or completes a run was checked in a verification workspace. */
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Checker } from '../checker.ts'
import type { Step } from '../witness.ts'

/** A check that ran in an agent's workspace proves nothing. In place there is no other workspace. */
const isEvidence = (outcome: Event<'work.finished'>['outcome']): boolean =>
  outcome.kind === 'check' && outcome.verified !== undefined

/** By check: the trees in the folders where its processes ran. */
function treesFound(steps: readonly Step[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const step of steps) {
    if (step.kind === 'process') found.set(step.work.id, new Set([...(found.get(step.work.id) ?? []), step.tree]))
  }
  return found
}

/** Every tree that a task lands was checked before, in a verification workspace. */
export const landedIsVerified: Checker = {
  law: 'landed-is-verified',
  watch({ steps, scenario: { config, pipeline } }, report) {
    if (config.workspace.mode === 'in-place' || config.checks.every(({ when }) => when === 'wave')) return {}
    const seen = new Map<string, number>()
    const held = treesFound(steps)
    return {
      after(event) {
        if (event.type !== 'work.finished' || event.outcome.kind !== 'check' || !isEvidence(event.outcome)) return
        const tree = event.outcome.verified ?? ''
        if (!held.get(event.id)?.has(tree)) report(`${event.id} did not run where ${tree} was`, event.seq)
        if (!seen.has(tree)) seen.set(tree, event.seq)
      },
      end() {
        const unchecked = new Set(pipeline?.stages.filter(({ checks }) => !checks).map(({ name }) => name))
        for (const step of steps) {
          if (step.kind !== 'landed' || unchecked.has(step.task)) continue
          if ((seen.get(step.tree) ?? Infinity) > step.durable)
            report(`${step.work} landed a tree that no verification workspace held`)
        }
      },
    }
  },
}

/** The tasks' own checks that passed when they landed. */
const acceptance = ({ order, tasks, config }: RunState): string[] =>
  config.checks.length === 0 && !config.noChecksFound
    ? []
    : order
        .flatMap((id) => tasks[id] ?? [])
        .filter(({ status }) => status === 'done')
        .flatMap((task) => task.evidence.map(({ check }) => check).filter((check) => task.checks.includes(check)))

/**
 * The engine that declares a run completed has itself run, on the declared tree, every configured check and every check
 * that a done task was accepted by.
 */
export const gateRunsItself: Checker = {
  law: 'gate-runs-itself',
  watch({ scenario: { config, pipeline } }, report) {
    let sinceStart = new Set<string>()
    let work = false
    return {
      after(event, state) {
        if (event.type === 'run.started' || event.type === 'run.resumed') sinceStart = new Set()
        if (event.type === 'task.finished' && event.status === 'done' && event.by !== 'source') work = true
        if (
          event.type === 'check.finished'
          && event.task === null
          && (state.stage === 'gate' || state.gate.round === event.round)
        ) {
          sinceStart.add(event.check)
        }
        if (event.type !== 'run.ended' || event.status !== 'completed' || !work) return
        if (pipeline?.stages.some(({ checks }) => !checks)) return
        const wanted = [...config.checks.map(({ name }) => name), ...acceptance(state)]
        const missing = wanted.filter((name) => !sinceStart.has(name))
        if (missing.length > 0)
          report(`completed, and ${missing.join(', ')} was not run by the process that says so`, event.seq)
      },
    }
  },
}

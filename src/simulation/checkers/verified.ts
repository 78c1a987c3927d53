/** Laws of evidence by place: what lands, and what completes a run, was seen in a verification workspace. */
import type { Event } from '../../model/event.ts'
import type { Checker } from '../checker.ts'

/** A check that ran where an agent works proves nothing. In place there is nowhere else to look. */
const isEvidence = (outcome: Event<'work.finished'>['outcome']): boolean =>
  outcome.kind === 'check' && outcome.verified !== undefined

/** Whatever a task lands was checked on exactly that tree, in a verification workspace, before it landed. */
export const landedIsVerified: Checker = {
  law: 'landed-is-verified',
  watch({ steps, scenario: { config, pipeline } }, report) {
    if (config.workspace.mode === 'in-place' || config.checks.every(({ when }) => when === 'wave')) return {}
    const seen = new Map<string, number>()
    return {
      after(event) {
        if (event.type !== 'work.finished' || event.outcome.kind !== 'check' || !isEvidence(event.outcome)) return
        const tree = event.outcome.verified ?? ''
        if (!seen.has(tree)) seen.set(tree, event.seq)
      },
      end() {
        const unchecked = new Set(pipeline?.stages.filter(({ checks }) => !checks).map(({ name }) => name))
        for (const step of steps) {
          if (step.kind !== 'landed' || unchecked.has(step.task)) continue
          if ((seen.get(step.tree) ?? Infinity) > step.durable) report(`${step.work} landed a tree that no verification workspace held`)
        }
      },
    }
  },
}

/** The process that declares a run completed has run every configured check itself, on the tree that it declares. */
export const gateRunsItself: Checker = {
  law: 'gate-runs-itself',
  watch({ scenario: { config, pipeline } }, report) {
    let sinceStart = new Set<string>()
    let work = false
    return {
      after(event, state) {
        if (event.type === 'run.started' || event.type === 'run.resumed') sinceStart = new Set()
        if (event.type === 'task.finished' && event.status === 'done' && event.by !== 'source') work = true
        if (event.type === 'check.finished' && event.task === null && (state.stage === 'gate' || state.gate.round === event.round)) {
          sinceStart.add(event.check)
        }
        if (event.type !== 'run.ended' || event.status !== 'completed' || !work) return
        if (pipeline?.stages.some(({ checks }) => !checks)) return
        const missing = config.checks.filter(({ name }) => !sinceStart.has(name)).map(({ name }) => name)
        if (missing.length > 0) report(`completed, and ${missing.join(', ')} was not run by the process that says so`, event.seq)
      },
    }
  },
}

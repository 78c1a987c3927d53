/** Records the outcomes of work as events: of the engine's own work, and of turns and checks of the site. */
import type { Site, SiteWork } from '../model/ports/site.ts'
import type { RunState } from '../model/state.ts'
import type { Usage } from '../model/usage.ts'
import type { Outcome, Work } from '../model/work.ts'
import type { DoneTasks } from './done-tasks.ts'
import type { LocalWorker } from './local-work.ts'
import type { OutsideWatch } from './outside-watch.ts'
import type { Recorder } from './recorder.ts'
import { createSpending } from './spending.ts'

export interface Collector {
  collect(): void
  lost(id: string, how: { why: string; usage?: Usage }): void
}

interface Means {
  state: RunState
  site: Pick<Site, 'statesOf' | 'forget'>
  recorder: Pick<Recorder, 'record'>
  /** Outcomes of the engine's own work; emptied when they are recorded. */
  done: { id: string; outcome: Outcome }[]
  local: Pick<LocalWorker, 'isRunning'>
  outside: Pick<OutsideWatch, 'compare'>
  doneTasks: Pick<DoneTasks, 'ended'>
  /** Called when work is finished for good. */
  onFinished: (id: string) => void
}

export const isRemote = (work: Work): work is SiteWork => work.kind === 'turn' || work.kind === 'check'

export function createCollector(means: Means): Collector {
  const { state, site, recorder, done, local, outside, doneTasks, onFinished } = means
  const spending = createSpending(state, recorder)

  function finished(id: string, outcome: Outcome): void {
    const paid = spending.paid(id, outcome)
    doneTasks.ended(state.works[id]?.work)
    recorder.record({ type: 'work.finished', id, outcome: paid })
    site.forget(id)
    onFinished(id)
  }

  function lost(id: string, { why, usage }: { why: string; usage?: Usage }): void {
    if (usage !== undefined) spending.inTotal(id, usage)
    doneTasks.ended(state.works[id]?.work)
    recorder.record({ type: 'work.lost', id, why })
  }

  function collect(): void {
    outside.compare(done.map(({ id }) => id))
    for (const { id, outcome } of done.splice(0)) finished(id, outcome)
    const remote = Object.values(state.works)
      .map(({ work }) => work)
      .filter(isRemote)
      .filter(({ id }) => !local.isRunning(id))
    const answers = site.statesOf(remote.map(({ id }) => id))
    outside.compare([...answers].flatMap(([id, answer]) => (answer.state === 'running' ? [] : id)))
    for (const [id, answer] of answers) {
      const work = state.works[id]?.work
      if (!work || !isRemote(work)) continue
      if (answer.state === 'done') finished(id, answer.outcome)
      else if (answer.state === 'running') spending.soFar(id, answer.usage)
      else if (answer.state === 'lost') lost(id, answer)
      else lost(id, { why: 'it never started' })
    }
  }

  return { collect, lost }
}

/** Backlog runs in place, in memory. */
import type { RunConfig } from '../../src/model/config.ts'
import type { SourceTask } from '../../src/model/source.ts'
import { baseConfig, limits, type World } from './play.ts'

const item = (id: string): SourceTask => ({
  id,
  title: `Do ${id}`,
  description: '',
  dependsOn: [],
  criteria: [],
  files: [],
  type: null,
  priority: 1,
  status: 'todo',
  reason: null,
})
export const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({
    workflow: 'backlog',
    review: false,
    parallel: 1,
    workspace: { mode: 'in-place', setup: null, copy: [], commit: false },
    checks: [
      { name: 'test', run: 'npm test' },
      { name: 'slow', run: 'sh slow.sh', when: 'wave' },
    ],
    ...limits({ attempts: 1, splitDepth: 0, goalIterations: 0, fixCycles: 1 }),
    ...changes,
  })
export const backlog =
  (count: number, answer: World = () => undefined): World =>
  (work, state) => {
    const said = answer(work, state)
    if (said !== undefined || work.kind !== 'sync') return said
    const claim = work.claim === null ? null : { task: work.claim, ok: true }
    const tasks = work.id === 'look/0' ? Array.from({ length: count }, (_, index) => item(`T${index + 1}`)) : []
    return { kind: 'sync', tasks, removed: [], claim, complete: false, problems: [] }
  }

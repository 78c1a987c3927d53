/** What a long run costs: memory of the orchestrator, and whether a turn among many tasks is dearer than among few. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cost, median, rounds, summary } from '../kit/measure.js'
import { createProject, expectTurns } from '../kit/project.js'

const preload = resolve(import.meta.dirname, '../kit/peak.js')

/** @type {import('../run.js').Measure} */
export async function growth({ folder, looper, quick, count }) {
  const [few, some, many] = quick ? [25, 50, 150] : [25, 100, 1000]
  const once = (tasks) => {
    const project = createProject(folder, {
      tasks,
      agent: 'instant',
      config: { workspace: { mode: 'in-place' }, checks: [] },
    })
    const peak = join(project.scratch, 'peak.json')
    const argv = [process.execPath, '--import', preload, looper, 'run', 'Do everything']
    const { wallMs } = cost(argv, { ...project, cwd: project.root, env: { ...project.env, BENCH_PEAK: peak } })
    expectTurns(project, tasks)
    return { wallMs, ...JSON.parse(readFileSync(peak, 'utf8')) }
  }
  /** The means of several runs: short ones vary. */
  const run = (tasks, times = 1) => {
    const spent = Array.from({ length: times }, () => once(tasks))
    const mean = (key) => spent.reduce((sum, each) => sum + each[key], 0) / times
    return { wallMs: mean('wallMs'), cpuMs: mean('cpuMs'), peakMb: mean('peakMb') }
  }
  const found = await rounds(count, {
    one: () => run(1, 5),
    few: () => run(few, 5),
    some: () => run(some),
    many: () => run(many),
  })
  const turn = (round, key, name, tasks) => (round[name][key] - round.one[key]) / (tasks - 1)
  const dearer = (key) => summary(found.map((round) => turn(round, key, 'many', many) / turn(round, key, 'few', few)))
  const typical = (key, name, tasks) => `${median(found.map((round) => turn(round, key, name, tasks))).toFixed(2)} ms`
  const memory = (name) => median(found.map((round) => round[name].peakMb))
  return [
    {
      figure: `Peak memory of the orchestrator, ${many} turns`,
      target: { below: 90 },
      unit: ' MB',
      ...summary(found.map((round) => round.many.peakMb)),
      how: 'resident, no terminal',
    },
    {
      figure: `Growth of that from ${some} to ${many} turns`,
      target: { below: 10 },
      unit: ' MB',
      ...summary(found.map((round) => round.many.peakMb - round.some.peakMb)),
      how: `runs of ${some} and of ${many} tasks: ${memory('some').toFixed(1)} and ${memory('many').toFixed(1)} MB`,
    },
    {
      figure: `A turn among ${many} tasks, against one among ${few}: wall clock`,
      target: { atMost: 1.2 },
      unit: '×',
      ...dearer('wallMs'),
      how: `slopes from a run of one task; ${typical('wallMs', 'many', many)} and ${typical('wallMs', 'few', few)}`,
    },
    {
      figure: `A turn among ${many} tasks, against one among ${few}: CPU time of the orchestrator`,
      target: null,
      unit: '×',
      ...dearer('cpuMs'),
      how: `slopes from a run of one task; ${typical('cpuMs', 'many', many)} and ${typical('cpuMs', 'few', few)}`,
    },
  ]
}

/** How well parallel slots are used: agents that take a second each, against the time of the whole command. */
import { cost, median, rounds, summary } from '../kit/measure.js'
import { createProject, expectTurns } from '../kit/project.js'

const tasks = 16
const slots = 8
const seconds = 1

/** @type {import('../run.js').Measure} */
export async function parallel({ folder, looper, count }) {
  const run = () => {
    const project = createProject(folder, {
      tasks,
      agent: 'writing',
      agentEnv: { BENCH_SLEEP: String(seconds) },
      config: { workspace: { mode: 'worktree' }, checks: [], parallel: slots },
    })
    const { wallMs } = cost([process.execPath, looper, 'run', 'Do everything'], { ...project, cwd: project.root })
    expectTurns(project, tasks)
    return wallMs
  }
  const found = await rounds(count, { run })
  const spans = found.map(({ run: ms }) => ms)
  return [
    {
      figure: `Use of ${slots} slots by ${tasks} tasks of ${seconds} s`,
      target: { atLeast: 0.85 },
      unit: '',
      ...summary(spans.map((ms) => (tasks * seconds * 1000) / (slots * ms))),
      how: `agents' time / (${slots} × time of the whole command, planning included: ${(median(spans) / 1000).toFixed(2)} s)`,
    },
  ]
}

/**
 * How well parallel slots are used: agents that take a second each, against the time of the whole command, and against
 * the time from the first agent's start to the last one's end.
 */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cost, median, rounds, summary } from '../kit/measure.js'
import { createProject, expectTurns } from '../kit/project.js'

const tasks = 16
const slots = 8
const seconds = 1

/** @type {import('../run.js').Measure} */
export async function parallel({ folder, looper, count }) {
  const run = () => {
    const stamps = mkdtempSync(join(folder, 'stamps-'))
    const project = createProject(folder, {
      tasks,
      agent: 'writing',
      agentEnv: { BENCH_SLEEP: String(seconds), BENCH_STAMPS: stamps },
      config: { workspace: { mode: 'worktree' }, checks: [], parallel: slots },
    })
    const { wallMs } = cost([process.execPath, looper, 'run', 'Do everything'], { ...project, cwd: project.root })
    expectTurns(project, tasks)
    return { wallMs, tasksMs: spanOf(stamps) }
  }
  const found = await rounds(count, { run })
  const use = (ms) => (tasks * seconds * 1000) / (slots * ms)
  const wholes = found.map((round) => round.run.wallMs)
  const spans = found.map((round) => round.run.tasksMs)
  return [
    {
      figure: `Use of ${slots} slots by ${tasks} tasks of ${seconds} s`,
      target: { atLeast: 0.85 },
      unit: '',
      ...summary(wholes.map(use)),
      how: `agents' time / (${slots} × time of the whole command, planning included: ${inSeconds(wholes)})`,
    },
    {
      figure: 'The same while tasks run',
      target: null,
      unit: '',
      ...summary(spans.map(use)),
      how: `agents' time / (${slots} × time from the first coder's start to the last one's end: ${inSeconds(spans)})`,
    },
  ]
}

const inSeconds = (times) => `${(median(times) / 1000).toFixed(2)} s`

/** From the start of the first coder to the end of the last, by the stamps that they leave when they start. */
function spanOf(stamps) {
  const coders = readdirSync(stamps).filter((name) => name.startsWith('coder-'))
  const starts = coders.map((name) => Number(readFileSync(join(stamps, name), 'utf8')) / 1e6)
  return Math.max(...starts) - Math.min(...starts) + seconds * 1000
}

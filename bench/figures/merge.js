/** What a task costs with a worktree, a check, a commit and a merge of its own, against the bare git commands for that. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cost, median, rounds, slope, summary } from '../kit/measure.js'
import { createProject } from '../kit/project.js'

const floor = resolve(import.meta.dirname, '../floors/git-script.sh')
const config = { workspace: { mode: 'worktree' }, checks: ['true'], parallel: 1 }

/** @type {import('../run.js').Measure} */
export async function merge({ folder, looper, quick, count }) {
  const numbers = quick ? { small: 2, large: 12 } : { small: 2, large: 32 }
  const inProject = (tasks, branch, run) => {
    const project = createProject(folder, { tasks, agent: 'writing', config })
    const spent = run(project)
    const files = execFileSync('git', ['ls-tree', '--name-only', branch], { cwd: project.root, encoding: 'utf8' })
    const landed = files.split('\n').filter((name) => /^T\d+\.txt$/.test(name)).length
    if (landed !== tasks) throw new Error(`${landed} of ${tasks} tasks landed`)
    return spent
  }
  const byLooper = (tasks) => inProject(tasks, 'looper/001-do-everything', (project) =>
    cost([process.execPath, looper, 'run', 'Do everything'], { ...project, cwd: project.root }))
  const byScript = (tasks) => inProject(tasks, 'main', (project) => {
    const made = join(project.scratch, 'made')
    mkdirSync(made)
    return cost(['bash', floor, String(tasks), made, project.prompt, ...project.agent], { ...project, cwd: project.root })
  })
  const found = await rounds(count, { looper: () => slope(byLooper, numbers), script: () => slope(byScript, numbers) })
  const typical = (name, key) => median(found.map((round) => round[name][key])).toFixed(1)
  const how = `slope from ${numbers.small} to ${numbers.large} tasks, one at a time`
  return [
    {
      figure: 'Worktree, check, commit and merge: wall clock, against the git commands', target: { atMost: 2.5 }, unit: '×',
      ...summary(found.map(({ looper, script }) => looper.wallMs / script.wallMs)),
      how: `${how}; a task: Looper ${typical('looper', 'wallMs')} ms, script ${typical('script', 'wallMs')} ms`,
    },
    {
      figure: 'Worktree, check, commit and merge: CPU time, against the git commands', target: null, unit: '×',
      ...summary(found.map(({ looper, script }) => looper.cpuMs / script.cpuMs)),
      how: `${how}; a task: Looper ${typical('looper', 'cpuMs')} ms, script ${typical('script', 'cpuMs')} ms`,
    },
  ]
}

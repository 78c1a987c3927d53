/**
 * What a task costs with a worktree, a check, a commit and a merge of its own, against the bare git commands for that.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cost, median, rounds, slope, summary } from '../kit/measure.js'
import { createProject } from '../kit/project.js'

const floor = resolve(import.meta.dirname, '../floors/git-script.sh')

/** @type {import('../run.js').Measure} */
export async function merge({ folder, looper, quick, count }) {
  const numbers = quick ? { small: 2, large: 12 } : { small: 2, large: 32 }
  const inProject = (tasks, width, branch, run) => {
    const config = { workspace: { mode: 'worktree' }, checks: ['true'], parallel: width }
    const project = createProject(folder, { tasks, agent: 'writing', config })
    const spent = run(project)
    const files = execFileSync('git', ['ls-tree', '--name-only', branch], { cwd: project.root, encoding: 'utf8' })
    const landed = files.split('\n').filter((name) => /^T\d+\.txt$/.test(name)).length
    if (landed !== tasks) throw new Error(`${landed} of ${tasks} tasks landed`)
    return spent
  }
  const byLooper = (width) => (tasks) =>
    inProject(tasks, width, 'looper/001-do-everything', (project) =>
      cost([process.execPath, looper, 'run', 'Do everything'], { ...project, cwd: project.root }),
    )
  const byScript = (width) => (tasks) =>
    inProject(tasks, width, 'main', (project) => {
      const made = join(project.scratch, 'made')
      mkdirSync(made)
      const argv = ['bash', floor, String(width), String(tasks), made, project.prompt, ...project.agent]
      return cost(argv, { ...project, cwd: project.root })
    })
  const found = await rounds(count, {
    looper: () => slope(byLooper(1), numbers),
    script: () => slope(byScript(1), numbers),
    two: () => slope(byLooper(2), numbers),
    pairs: () => slope(byScript(2), numbers),
  })
  const row = (what, [one, other], key, target, more) => ({
    figure: `Worktree, check, commit and merge${what}, against the git commands`,
    target,
    unit: '×',
    ...summary(found.map((round) => round[one][key] / round[other][key])),
    how: `slope from ${numbers.small} to ${numbers.large} tasks, ${more}; a task: Looper ${median(found.map((round) => round[one][key])).toFixed(1)} ms, script ${median(found.map((round) => round[other][key])).toFixed(1)} ms`,
  })
  return [
    row(
      ': wall clock',
      ['looper', 'script'],
      'wallMs',
      { atMost: 1.6 },
      'one at a time: every landing moves the branch',
    ),
    row(': CPU time', ['looper', 'script'], 'cpuMs', null, 'one at a time'),
    row(', two from one commit: CPU time', ['two', 'pairs'], 'cpuMs', null, 'every second landing is a real merge'),
  ]
}

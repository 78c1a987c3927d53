/**
 * What a task costs where several share a merge queue, against the bare git commands for that; and whether it costs
 * more among many.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cost, median, rounds, summary } from '../kit/measure.js'
import { createProject } from '../kit/project.js'

const floor = resolve(import.meta.dirname, '../floors/git-queue.sh')
const preload = resolve(import.meta.dirname, '../kit/peak.js')
const workers = 3

/** @type {import('../run.js').Measure} */
export async function queue({ folder, looper, quick, count }) {
  const inProject = (tasks, branch, run) => {
    const config = { workspace: { mode: 'worktree' }, checks: [], parallel: workers }
    const project = createProject(folder, { tasks, agent: 'writing', config })
    const spent = run(project)
    const files = execFileSync('git', ['ls-tree', '--name-only', branch], { cwd: project.root, encoding: 'utf8' })
    const landed = files.split('\n').filter((name) => /^T\d+\.txt$/.test(name)).length
    if (landed !== tasks) throw new Error(`${landed} of ${tasks} tasks landed`)
    return spent
  }
  const byLooper = (tasks) =>
    inProject(tasks, 'looper/001-do-everything', (project) =>
      cost([process.execPath, looper, 'run', 'Do everything'], { ...project, cwd: project.root }),
    )
  const watched = (tasks) =>
    inProject(tasks, 'looper/001-do-everything', (project) => {
      const peak = join(project.scratch, 'peak.json')
      const argv = [process.execPath, '--import', preload, looper, 'run', 'Do everything']
      const spent = cost(argv, { ...project, cwd: project.root, env: { ...project.env, BENCH_PEAK: peak } })
      return { ...spent, ownMs: JSON.parse(readFileSync(peak, 'utf8')).cpuMs }
    })
  const byScript = (tasks) =>
    inProject(tasks, 'main', (project) => {
      const made = join(project.scratch, 'made')
      mkdirSync(made)
      return cost(['bash', floor, String(workers), String(tasks), made, project.prompt, ...project.agent], {
        ...project,
        cwd: project.root,
      })
    })
  const few = 24
  const found = await rounds(count, { looper: () => byLooper(few), script: () => byScript(few) })
  const [low, middle, high] = quick ? [3, 24, 72] : [10, 100, 1000]
  const many = await rounds(quick ? 1 : Math.min(count, 3), {
    low: () => watched(low),
    middle: () => watched(middle),
    high: () => watched(high),
    scriptLow: () => byScript(low),
    scriptMiddle: () => byScript(middle),
    scriptHigh: () => byScript(high),
  })
  const early = (round, key) => (round.middle[key] - round.low[key]) / (middle - low)
  const late = (round, key) => (round.high[key] - round.middle[key]) / (high - middle)
  const typical = (list, value) => median(list.map(value)).toFixed(1)
  const ratio = (what, key, target) => ({
    figure: `${few} tasks by ${workers} workers, worktrees and merges: ${what}, against the git commands`,
    target,
    unit: '×',
    ...summary(found.map((round) => round.looper[key] / round.script[key])),
    how: `whole commands, planning included; Looper ${typical(found, (round) => round.looper[key])} ms, script ${typical(found, (round) => round.script[key])} ms`,
  })
  const floors = many.map(({ scriptLow, scriptMiddle, scriptHigh }) => ({
    low: scriptLow,
    middle: scriptMiddle,
    high: scriptHigh,
  }))
  const grown = (list, key) => summary(list.map((round) => late(round, key) / early(round, key)))
  const growth = (what, key, target, more = '') => ({
    figure: `A task among ${high} in the merge queue, against one among ${middle}: ${what}`,
    target,
    unit: '×',
    ...grown(many, key),
    how: `slopes from ${middle} to ${high} and from ${low} to ${middle} tasks; ${typical(many, (round) => late(round, key))} ms and ${typical(many, (round) => early(round, key))} ms${more}`,
  })
  return [
    ratio('wall clock', 'wallMs', { atMost: 2.2 }),
    ratio('CPU time', 'cpuMs', null),
    growth('wall clock', 'wallMs', { atMost: 1.5 }),
    growth(
      'CPU time',
      'cpuMs',
      null,
      `; the git commands alone grow ${grown(floors, 'cpuMs').value.toFixed(2)}×, with the files there are`,
    ),
    growth('CPU time of the orchestrator', 'ownMs', null),
  ]
}

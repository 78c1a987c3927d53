/** What a turn costs beyond its agent: serial, in place, nothing checked, nothing reviewed. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cost, median, rounds, slope, summary } from '../kit/measure.js'
import { createProject, expectTurns } from '../kit/project.js'

const floors = resolve(import.meta.dirname, '../floors')
const config = { workspace: { mode: 'in-place' }, checks: [] }

/** @type {import('../run.js').Measure} */
export async function turn({ folder, looper, quick, count }) {
  const numbers = quick ? { small: 5, large: 45 } : { small: 10, large: 110 }
  const byLooper = (tasks) => {
    const project = createProject(folder, { tasks, agent: 'instant', config })
    const spent = cost([process.execPath, looper, 'run', 'Do everything'], { ...project, cwd: project.root })
    expectTurns(project, tasks)
    return spent
  }
  const byFloor =
    (...program) =>
    (tasks) => {
      const project = createProject(folder, { tasks, agent: 'instant', config })
      const made = join(project.scratch, 'made')
      mkdirSync(made)
      return cost([...program, String(tasks), made, project.prompt, ...project.agent], {
        ...project,
        cwd: project.root,
      })
    }
  const found = await rounds(count, {
    looper: () => slope(byLooper, numbers),
    node: () => slope(byFloor(process.execPath, join(floors, 'node-loop.js')), numbers),
    bash: () => slope(byFloor('bash', join(floors, 'bash-loop.sh')), numbers),
  })
  const against = (name, key) => summary(found.map((round) => round.looper[key] / round[name][key]))
  const typical = (name, key) => median(found.map((round) => round[name][key]))
  const each = (key) =>
    ['looper', 'node', 'bash']
      .map((name) => `${name === 'looper' ? 'Looper' : name} ${typical(name, key).toFixed(1)} ms`)
      .join(', ')
  const how = `slope from ${numbers.small} to ${numbers.large} tasks`
  return [
    {
      figure: 'Turn overhead: wall clock, against a bare Node loop',
      target: { atMost: 1.3 },
      ...against('node', 'wallMs'),
      unit: '×',
      how: `${how}; a turn: ${each('wallMs')}`,
    },
    {
      figure: 'Turn overhead: wall clock, against a plain bash loop',
      target: null,
      ...against('bash', 'wallMs'),
      unit: '×',
      how,
    },
    {
      figure: "Turn overhead: CPU time with the agent's, against the Node loop",
      target: null,
      ...against('node', 'cpuMs'),
      unit: '×',
      how: `${how}; a turn: ${each('cpuMs')}`,
    },
  ]
}

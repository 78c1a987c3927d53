/** How long commands take from nothing, against an empty Node program. */
import { cost, median, rounds, summary } from '../kit/measure.js'
import { createProject, expectTurns } from '../kit/project.js'

/** @type {import('../run.js').Measure} */
export async function startup({ folder, looper, quick, count }) {
  const times = quick ? 5 : 15
  const project = createProject(folder, {
    tasks: 1,
    agent: 'instant',
    config: { workspace: { mode: 'in-place' }, checks: [] },
  })
  const surroundings = { ...project, cwd: project.root }
  const by =
    (...args) =>
    () =>
      cost([process.execPath, looper, ...args], surroundings, times)
  cost([process.execPath, looper, 'run', 'Do it'], surroundings)
  expectTurns(project, 1)
  const found = await rounds(count, {
    node: () => cost([process.execPath, '-e', '0'], surroundings, times),
    status: by('status', '1', '--json'),
    version: by('--version'),
    help: by('--help'),
    run: by('run', 'Do it'),
  })
  const row = (figure, name, target) => ({
    figure,
    target,
    unit: '×',
    ...summary(found.map((round) => round[name].wallMs / round.node.wallMs)),
    how: `mean of ${times}; ${median(found.map((round) => round[name].wallMs)).toFixed(0)} ms against ${median(found.map(({ node }) => node.wallMs)).toFixed(0)} ms`,
  })
  return [
    row('`looper status --json` on a finished run, against `node -e 0`', 'status', { atMost: 1.6 }),
    row('A whole `looper run` of one instant task, against `node -e 0`', 'run', { atMost: 3.5 }),
    row('`looper --version`, against `node -e 0`', 'version', null),
    row('`looper --help`, against `node -e 0`', 'help', null),
  ]
}

/** What the commands about a large backlog take, against parsing and printing it with Node. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cost, median, rounds, summary } from '../kit/measure.js'
import { createProject } from '../kit/project.js'

const floor = resolve(import.meta.dirname, '../floors/print-json.js')

/** @type {import('../run.js').Measure} */
export async function backlog({ folder, looper, quick, count }) {
  const [tasks, times] = quick ? [1_000, 2] : [10_000, 5]
  const project = createProject(folder, { tasks: 1, agent: 'instant', config: {} })
  const file = join(project.root, 'to-do.json')
  writeFileSync(
    file,
    `${JSON.stringify({ schema_version: 1, project: { name: 'bench', root: '.' }, source_files: ['README.md'], tasks: list(tasks) }, null, 2)}\n`,
  )
  const surroundings = { ...project, cwd: project.root }
  const by =
    (...args) =>
    () =>
      cost([process.execPath, looper, ...args], surroundings, times)
  const found = await rounds(count, {
    floor: () => cost([process.execPath, floor, file], surroundings, times),
    ls: by('ls'),
    json: by('ls', '--json'),
    validate: by('validate'),
    fmt: by('fmt'),
  })
  const row = (command, name) => ({
    figure: `\`looper ${command}\` on ${tasks} tasks, against parsing and printing them with Node`,
    target: { atMost: 2 },
    unit: '×',
    ...summary(found.map((round) => round[name].wallMs / round.floor.wallMs)),
    how: `mean of ${times}, start-up included; ${median(found.map((round) => round[name].wallMs)).toFixed(0)} ms against ${median(found.map(({ floor: each }) => each.wallMs)).toFixed(0)} ms`,
  })
  const bench = { folder, looper, quick, count }
  return [
    row('ls', 'ls'),
    row('ls --json', 'json'),
    row('validate', 'validate'),
    row('fmt', 'fmt'),
    await iteration(bench, 'run', () => ['run', '--workflow', 'backlog']),
    await iteration(bench, 'work', (iterations) => ['work', 'bench', String(iterations)]),
  ]
}

const paused = 3

/**
 * What one more task costs in a backlog of few and of many, all of them open: slopes, so that reading the file once
 * does not count.
 */
async function iteration({ folder, looper, quick, count }, command, words) {
  const [few, many, less, more] = quick ? [50, 500, 5, 25] : [100, 10_000, 10, 90]
  const run = (tasks, iterations) => {
    const config = { workspace: { mode: 'in-place' }, checks: [], parallel: 1, limits: { iterations } }
    const project = createProject(folder, { tasks: 1, agent: 'instant', config })
    const all = list(tasks).map((task) => ({ ...task, status: 'todo', depends_on: [] }))
    writeFileSync(join(project.root, 'to-do.json'), `${JSON.stringify({ schema_version: 1, tasks: all }, null, 2)}\n`)
    const spent = cost([process.execPath, looper, ...words(iterations)], { ...project, cwd: project.root }, 1, paused)
    expectDone(project, iterations)
    return spent
  }
  const found = await rounds(count, {
    fewLess: () => run(few, less),
    fewMore: () => run(few, more),
    manyLess: () => run(many, less),
    manyMore: () => run(many, more),
  })
  const slope = (round, size) => (round[`${size}More`].wallMs - round[`${size}Less`].wallMs) / (more - less)
  const typical = (size) => median(found.map((round) => slope(round, size))).toFixed(1)
  return {
    figure: `One iteration of \`looper ${command}\` in a backlog of ${many} open tasks, against one of ${few}`,
    target: { atMost: 2 },
    unit: '×',
    ...summary(found.map((round) => slope(round, 'many') / slope(round, 'few'))),
    how: `slopes between ${less} and ${more} iterations; ${typical('many')} ms and ${typical('few')} ms`,
  }
}

/** Throws unless the backlog says that as many tasks are done: a run that did less than asked is no measurement. */
function expectDone({ root }, count) {
  const { tasks } = JSON.parse(readFileSync(join(root, 'to-do.json'), 'utf8'))
  const done = tasks.filter(({ status }) => status === 'done').length
  if (done !== count) throw new Error(`${done} of ${count} tasks are done`)
}

/** Every documented field, as long as people make them. */
const list = (count) =>
  Array.from({ length: count }, (_, at) => ({
    id: idOf(at),
    title: `Task number ${at + 1} of a long list of things`,
    description: 'What is to be done, in a few words that say enough to begin with it.',
    reference: `docs/part-${at % 50}.md`,
    priority: (at % 5) + 1,
    status: ['todo', 'doing', 'done', 'blocked', 'todo', 'done'][at % 6],
    details: 'Notes on how it could be done.',
    steps: ['Look at it', 'Change it', 'Test it'],
    blockers: [],
    tags: [`area-${at % 9}`],
    files: [`src/part-${at % 50}.ts`],
    depends_on: at > 2 ? [idOf(at - 2)] : [],
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  }))

const idOf = (at) => `T${String(at + 1).padStart(5, '0')}`

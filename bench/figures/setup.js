/**
 * How long agents wait for set-up: from the card to the planner, and from the plan until all coders work, in a first
 * and in a second run, against one set-up alone.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDependencies } from '../kit/dependencies.js'
import { median, rounds, summary } from '../kit/measure.js'
import { createProject } from '../kit/project.js'

const slots = 4
const command = 'npm ci --offline'

/** @type {import('../run.js').Measure} */
export async function setup({ folder, looper, quick, count }) {
  const own = mkdtempSync(join(existsSync(memory) ? memory : folder, 'looper-bench-'))
  try {
    return await measure(own, looper, quick ? { ...usual, packages: 40 } : usual, count)
  } finally {
    rmSync(own, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * A file system in memory, where there is one. Every run removes its workspaces, and ext4 without a journal is slow at
 * making files for minutes after that, so the second run would measure the end of the first.
 */
const memory = '/dev/shm'

/** About as many packages and files as 70 MB of npm packages have. */
const usual = { packages: 350, files: 20, bytes: 10_000 }

async function measure(folder, looper, size, count) {
  const { cache, files } = makeDependencies(mkdtempSync(join(folder, 'packages-')), size)
  const one = async () => {
    const project = projectWith(folder, cache, files)
    const aloneMs = setUpAlone(project, cache)
    const first = await follow(looper, project, 'first')
    const second = await follow(looper, project, 'second')
    return { aloneMs, first, second }
  }
  const found = (await rounds(count, { one })).map((round) => round.one)
  const alone = median(found.map(({ aloneMs }) => aloneMs))
  const megabytes = Math.round((size.packages * size.files * size.bytes) / 1e6)
  const row = (figure, run, atMost) => ({
    figure,
    target: { atMost },
    unit: '×',
    ...summary(found.map((each) => each[run].codersMs / each.aloneMs)),
    how: `the last of ${slots} coders starts after ${Math.round(median(found.map((each) => each[run].codersMs)))} ms; \`${command}\` alone takes ${Math.round(alone)} ms`,
  })
  return [
    {
      figure: `Planner after the card, with ${megabytes} MB of dependencies`,
      target: { atMost: 0.5 },
      unit: ' s',
      ...summary(found.map(({ first }) => first.plannerMs / 1000)),
      how: 'first run: from the first output to the start of the agent',
    },
    row(`${slots} coders after the plan, against one set-up`, 'first', 1.3),
    row('The same in a second run', 'second', 0.2),
  ]
}

function projectWith(folder, cache, files) {
  const stamps = mkdtempSync(join(folder, 'stamps-'))
  const project = createProject(folder, {
    tasks: slots,
    agent: 'writing',
    agentEnv: { BENCH_STAMPS: stamps, BENCH_SLEEP: '1' },
    config: {
      workspace: { mode: 'worktree', setup: [command], env: { npm_config_cache: cache } },
      checks: ['true'],
      parallel: slots,
    },
  })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project.root, name), text)
  writeFileSync(join(project.root, '.gitignore'), '.looper/\nnode_modules/\n')
  execFileSync('git', ['add', '--all'], { cwd: project.root, env: project.env })
  execFileSync('git', ['commit', '--quiet', '--message', 'Depend'], { cwd: project.root, env: project.env })
  return { ...project, stamps }
}

/** In a folder of its own, as in a fresh clone. */
function setUpAlone({ root, scratch, env }, cache) {
  const clone = join(scratch, 'alone')
  mkdirSync(clone)
  for (const name of ['package.json', 'package-lock.json']) {
    writeFileSync(join(clone, name), readFileSync(join(root, name)))
  }
  const begun = performance.now()
  execFileSync('sh', ['-c', command], { cwd: clone, env: { ...env, npm_config_cache: cache }, stdio: 'ignore' })
  return performance.now() - begun
}

/** Runs Looper, and reads from the stamps of the agents when they started. */
async function follow(looper, { root, env, stamps }, goal) {
  for (const name of readdirSync(stamps)) rmSync(join(stamps, name))
  const child = spawn(process.execPath, [looper, 'run', goal], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [cardMs, said] = [0, '']
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text) => {
      cardMs ||= Date.now()
      said += text
    })
  }
  const code = await new Promise((resolve) => {
    child.on('close', resolve)
  })
  const at = (name) => Number(readFileSync(join(stamps, name), 'utf8')) / 1e6
  const coders = readdirSync(stamps).filter((name) => name.startsWith('coder-'))
  if (code !== 0 || coders.length !== slots) throw new Error(`looper run ended with ${code}: ${said.slice(-2000)}`)
  return { plannerMs: at('planner') - cardMs, codersMs: Math.max(...coders.map(at)) - at('planned') }
}

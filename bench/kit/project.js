/**
 * A small repository in a folder of its own, with an agent and a plan of as many tasks as wanted. It stays until the
 * end of all measuring: a file system that has just removed thousands of files is slow at making new ones.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const bench = resolve(import.meta.dirname, '..')

/**
 * @typedef {object} Project
 * @property {string} root the repository
 * @property {string} scratch a folder beside it
 * @property {Record<string, string | undefined>} env
 * @property {string[]} agent how the agent is started
 * @property {string} prompt a file of the size of a prompt
 */

/**
 * @param {string} folder
 * @param {{ tasks: number, agent: 'instant' | 'writing', config: object, agentEnv?: Record<string, string> }} options
 * @returns {Project}
 */
export function createProject(folder, { tasks, agent: kind, config, agentEnv = {} }) {
  const home = realpathSync(mkdtempSync(join(folder, 'project-')))
  const root = join(home, 'repository')
  const scratch = join(home, 'scratch')
  for (const each of [root, scratch, join(root, '.looper')]) mkdirSync(each)
  const env = {
    // The floors have none: what it costs is a figure of its own.
    LOOPER_SANDBOX: 'off',
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    GIT_CONFIG_NOSYSTEM: '1',
    TMPDIR: scratch,
    GIT_AUTHOR_NAME: 'Bench',
    GIT_AUTHOR_EMAIL: 'bench@localhost',
    GIT_COMMITTER_NAME: 'Bench',
    GIT_COMMITTER_EMAIL: 'bench@localhost',
  }
  const git = (...args) => execFileSync('git', args, { cwd: root, env })
  writeFileSync(join(root, 'README.md'), '# A repository\n')
  writeFileSync(join(root, '.gitignore'), '.looper/\n')
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Start')

  const prompt = join(home, 'prompt.md')
  writeFileSync(prompt, 'Do the task as it is described here.\n'.repeat(80))
  const plan = join(home, 'plan.json')
  writeFileSync(plan, JSON.stringify({ status: 'plan', tasks: list(tasks) }))
  const agent = ['sh', join(bench, 'agents', `${kind}.sh`)]
  writeFileSync(
    join(root, '.looper/config.json'),
    JSON.stringify({
      agent: 'bench',
      agents: { bench: { command: agent, env: { BENCH_PLAN: plan, ...agentEnv } } },
      review: false,
      limits: { iterations: null },
      ...config,
    }),
  )
  return { root, scratch, env, agent, prompt }
}

/** Throws unless every task had its turn, and the plan its own: a run that did less than asked is no measurement. */
export function expectTurns({ root }, tasks) {
  const turns = readdirSync(join(root, '.looper/runs/last/turns')).length
  if (turns !== tasks + 1) throw new Error(`${turns} turns for a plan and ${tasks} tasks`)
}

const list = (count) =>
  Array.from({ length: count }, (_, at) => ({ id: `T${String(at + 1).padStart(3, '0')}`, title: `Task ${at + 1}` }))

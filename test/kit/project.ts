/**
 * A real git repository in a temporary folder, a command agent written for the test, and the built command line run in
 * it.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Event } from '../../src/model/event.ts'
import { findRunId } from '../../src/app/runs/find-run.ts'
import { readRun } from '../../src/app/runs/read-run.ts'
import { statusView, type StatusView } from '../../src/views/status/status.ts'
import { jsonText } from '../../src/views/text/json-text.ts'
import { sandboxTool } from './bubblewrap.ts'

const program = resolve(import.meta.dirname, '../../bin/looper.js')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Project {
  /** The repository. */
  root: string
  /** A folder beside it, for what agents note about themselves. */
  notes: string
  /** The folder of the workspaces of all runs. */
  workspaces: string
  write(path: string, content: string): void
  read(path: string): string
  git(...args: string[]): string
  /** Sets .looper/config.json. */
  configure(config: Record<string, unknown>): void
  looper(...args: string[]): Promise<Ended>
  /** The same, started by another program that limits what it may do. */
  looperThrough(program: readonly [string, ...string[]], ...args: string[]): Promise<Ended>
  start(...args: string[]): ChildProcess
  /** The same on a terminal of its own, which closes when the returned process is killed. */
  startOnTerminal(...args: string[]): ChildProcess
  /** The same, with options for Node and more in its environment. */
  startThrough(options: readonly string[], more: Record<string, string>, ...args: string[]): ChildProcess
  /** What `looper status --json` prints, read in this process. */
  status(run?: string): Promise<StatusView>
  events(run?: string): Event[]
  /** Kills what was started and has not ended. */
  endStarted(): void
  remove(): void
}

/**
 * A command agent: the body of an async function with `env`, `prompt`, `answer(json)`, `say(event)`, `write(path,
 * text)`, `fs`, `path`.
 */
export function agentProgram(body: string): string {
  return `import fs from 'node:fs'
import path from 'node:path'
const env = process.env
const prompt = fs.readFileSync(0, 'utf8')
const answer = (value) => fs.writeFileSync(env.LOOPER_RESULT_FILE, JSON.stringify(value))
const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n')
const write = (file, text) => { fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true }); fs.writeFileSync(file, text) }
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const note = (name, text) => fs.appendFileSync(path.join(env.NOTES, name), text + '\\n')
const role = env.LOOPER_ROLE, purpose = env.LOOPER_PURPOSE, task = env.LOOPER_TASK, attempt = Number(env.LOOPER_ATTEMPT)
${body}
`
}

/** What a cooperative agent does in each role; a test's own agent falls back on it. */
export const cooperative = `
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two', dependsOn: ['T001'] }] })
if (role === 'supervisor') answer({ score: 90, summary: 'fine' })
if (role === 'tester') answer({ status: 'passed', total: 1, passed: 1, failed: 0 })
if (role === 'coder') { write(task + '.txt', 'made by ' + task + '\\n'); answer({ status: 'complete', summary: 'made ' + task }) }
`

export interface ProjectOptions {
  agent?: string
  config?: Record<string, unknown>
  files?: Record<string, string>
  /**
   * Off unless a test asks for it, because most agents here write down beside the repository what they saw, and some
   * misbehave in ways that the sandbox would not let them: what Looper does about that has to hold without one.
   */
  sandbox?: 'off' | 'os'
}

/** Tries a whole file of tests in the sandbox: `LOOPER_TEST_SANDBOX=os npx vitest run test/e2e/crash.test.ts`. */
export const usualSandbox = process.env['LOOPER_TEST_SANDBOX'] === 'os' ? 'os' : 'off'

/** The environment that sets the sandbox. Agents write what they saw to the folder for notes. */
export const sandboxVariables = (notes: string, sandbox: 'off' | 'os' = usualSandbox): Record<string, string> =>
  sandbox === 'off'
    ? { LOOPER_SANDBOX: 'off' }
    : { LOOPER_SANDBOX: 'os', LOOPER_SANDBOX_ALLOW: notes, LOOPER_BWRAP: sandboxTool().path }

export function createProject(options: ProjectOptions = {}): Project {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'looper-test-')))
  const root = join(home, 'repo')
  const notes = join(home, 'notes')
  const agent = join(home, 'agent.mjs')
  mkdirSync(root)
  mkdirSync(notes)
  writeFileSync(agent, agentProgram(options.agent ?? cooperative))
  chmodSync(agent, 0o755)
  const env = {
    ...sandboxVariables(notes, options.sandbox),
    PATH: process.env['PATH'],
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@localhost',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@localhost',
  }
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' }).trimEnd()
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const configure = (config: Record<string, unknown>): void =>
    write(
      '.looper/config.json',
      JSON.stringify({
        agents: { test: { command: [process.execPath, agent], env: { NOTES: notes } } },
        checks: ['true'],
        ...config,
      }),
    )

  git('init', '-q', '-b', 'main')
  for (const [path, content] of Object.entries({ 'README.md': '# test\n', ...options.files })) write(path, content)
  git('add', '-A')
  git('commit', '-q', '-m', 'start')
  configure(options.config ?? {})

  const started = new Set<ChildProcess>()
  const kept = (child: ChildProcess): ChildProcess => {
    started.add(child)
    return child.once('exit', () => started.delete(child))
  }
  const project: Project = {
    root,
    notes,
    write,
    git,
    configure,
    workspaces: join(home, '.cache/looper/workspaces'),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    looper: (...args) => project.looperThrough([process.execPath], ...args),
    looperThrough: ([first, ...rest], ...args) =>
      new Promise((done) => {
        const words = first === process.execPath ? rest : [...rest, process.execPath]
        execFile(first, [...words, program, ...args], { cwd: root, env, maxBuffer: 1e9 }, (error, stdout, stderr) =>
          done({ code: error ? (typeof error.code === 'number' ? error.code : null) : 0, stdout, stderr }),
        )
      }),
    start: (...args) => project.startThrough([], {}, ...args),
    startOnTerminal: (...args) => {
      const line = ['exec', process.execPath, program, ...args]
        .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
        .join(' ')
      return kept(
        spawn('script', ['-qefc', line.replace("'exec'", 'exec'), '/dev/null'], {
          cwd: root,
          env: { ...env, TERM: 'xterm' },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      )
    },
    startThrough: (options, more, ...args) =>
      kept(
        spawn(process.execPath, [...options, program, ...args], {
          cwd: root,
          env: { ...env, ...more },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      ),
    async status(run) {
      const { state, live, holder, left = null } = await readRun(root, await findRunId(root, run ?? null))
      return JSON.parse(jsonText(statusView(state, { live, holder, left }))) as StatusView
    },
    events: (run = 'last') =>
      readFileSync(join(root, '.looper/runs', run, 'events.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Event),
    endStarted: () => started.forEach((child) => child.kill('SIGKILL')),
    // A run that a failed test left would go on in a folder that is gone.
    remove() {
      project.endStarted()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return project
}

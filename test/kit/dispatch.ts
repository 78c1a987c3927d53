/** A dispatch with real processes in a folder of its own, for the tests of this folder. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMask } from '../../src/agents/mask.ts'
import type { AgentConfig } from '../../src/model/config.ts'
import type { WorkStatus } from '../../src/model/ports/site.ts'
import type { TurnRequest } from '../../src/dispatch/dispatch.ts'
import type { CheckOutcome, TurnOutcome, TurnWork } from '../../src/model/work.ts'
import { endMarked, findMarked } from '../../src/platform/sweep.ts'
import { createLocalDispatch, type LocalDispatch, type LocalDispatchOptions } from '../../src/dispatch/local.ts'
import { turnFolder, type TurnFolder } from '../../src/dispatch/turn-folder.ts'

/** `secrets`: names of variables that are masked besides those whose own name says what they are. */
type FixtureOptions = Partial<LocalDispatchOptions> & { secrets?: string[] }

export interface Fixture {
  runDir: string
  key: string
  cwd: string
  create(options?: FixtureOptions): LocalDispatch
  request(agent: string, change?: Partial<TurnWork>): TurnRequest
  /** Resolves with the state once it is no longer running. */
  settled(dispatch: LocalDispatch, id?: string): Promise<Exclude<WorkStatus, { state: 'running' }>>
  /** The outcome of one turn of an agent. */
  turn(agent: AgentConfig, options?: FixtureOptions): Promise<TurnOutcome>
  folder(id?: string, starts?: number): TurnFolder
  /** Pids of this run's processes. */
  alive(): number[]
  clean(): Promise<void>
}

export const turnId = 'T001/a1/implement'
const playerPath = new URL('../../src/agents/scripted/player.js', import.meta.url).pathname

export const shell = (line: string, more: AgentConfig = {}): AgentConfig => ({ command: ['sh', '-c', line], ...more })
export const passed: CheckOutcome = {
  kind: 'check',
  exitCode: 0,
  durationMs: 1,
  timedOut: false,
  started: true,
  tests: 1,
  tail: '',
  fingerprint: null,
}

export function createFixture(agents: Record<string, AgentConfig> = {}): Fixture {
  const root = mkdtempSync(join(tmpdir(), 'looper-dispatch-'))
  const runDir = join(root, '001-test')
  const cwd = join(root, 'workspace')
  const key = randomUUID().slice(0, 16)
  const open = new Set<LocalDispatch>()
  mkdirSync(runDir)
  mkdirSync(cwd)

  const create: Fixture['create'] = ({ secrets = [], ...options } = {}) => {
    const configured = Object.values(options.agents ?? agents).map(({ env = {} }) => env)
    const dispatch = createLocalDispatch({
      runDir,
      key,
      agents,
      mask: createMask([options.env ?? {}, ...configured], secrets),
      env: process.env,
      playerPath,
      mcpPath: '',
      driverPath: '',
      runCheck: () => Promise.resolve(passed),
      ...options,
      timings: { pollMs: 10, graceMs: 200, sweepGraceMs: 50, hintMs: 0, ...options.timings },
    })
    open.add(dispatch)
    return dispatch
  }
  const request: Fixture['request'] = (agent, change) => ({
    starts: 1,
    cwd,
    prompt: 'Do the task.\n',
    work: {
      kind: 'turn',
      id: turnId,
      slot: turnId,
      workspace: 'T001',
      role: 'coder',
      purpose: 'implement',
      agent,
      model: null,
      task: 'T001',
      attempt: 1,
      errors: [],
      tree: null,
      base: null,
      ...change,
    },
  })
  const settled: Fixture['settled'] = (dispatch, id = turnId) =>
    new Promise((resolve) => {
      const look = (): void => {
        const state = dispatch.inspect([id]).get(id) ?? { state: 'absent' }
        if (state.state === 'running') return
        unwatch()
        resolve(state)
      }
      const unwatch = dispatch.watch(look)
      look()
    })
  return {
    runDir,
    key,
    cwd,
    create,
    request,
    settled,
    async turn(agent, options) {
      const dispatch = create({ agents: { mine: agent }, ...options })
      dispatch.ensure(request('mine'))
      const state = await settled(dispatch)
      if (state.state !== 'done' || state.outcome.kind !== 'turn')
        throw new Error(`the turn is ${JSON.stringify(state)}`)
      return state.outcome
    },
    folder: (id = turnId, starts = 1) => turnFolder(runDir, id, starts),
    alive: () => findMarked(`${key}:`).map(({ pid }) => pid),
    async clean() {
      for (const dispatch of open) dispatch.close()
      await endMarked(`${key}:`, { graceMs: 0 })
      rmSync(root, { recursive: true, force: true })
    },
  }
}

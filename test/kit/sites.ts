/** Sites for the contract suite: one with real git and real processes, and one of the virtual world. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMask } from '../../src/agents/mask.ts'
import { createLocalDispatch, type LocalDispatch } from '../../src/dispatch/local.ts'
import type { Site } from '../../src/model/ports/site.ts'
import { noUsage } from '../../src/model/usage.ts'
import { endMarked } from '../../src/platform/sweep.ts'
import type { Behavior } from '../../src/simulation/fates.ts'
import { createRandom } from '../../src/simulation/random.ts'
import { defaultConfig } from '../../src/simulation/scenario.ts'
import { createVirtualClock, type Life } from '../../src/simulation/virtual-clock.ts'
import { createMachine } from '../../src/simulation/virtual-dispatch.ts'
import { createVirtualGit } from '../../src/simulation/virtual-git.ts'
import type { VerificationFolders } from '../../src/simulation/virtual-verification.ts'
import { createVirtualWorkspaces } from '../../src/simulation/virtual-workspaces.ts'
import { createLocalSite } from '../../src/site/local-site.ts'
import { passed, shell } from './dispatch.ts'
import { makeRepository, makeWorktrees, temporaryFolder } from './repository.ts'
import type { SiteAgent, SiteKind, SiteWorld } from './site-contract.ts'

const files = { 'a.txt': 'a\n', 'b.txt': 'b\n' }
const prompt = (): string => 'Do the task.\n'

export const localSite: SiteKind = {
  name: 'the site of this machine',
  async open(hooksOf) {
    const repository = makeRepository(files)
    const runDir = join(temporaryFolder(), '001-demo')
    mkdirSync(runDir)
    const log = join(runDir, 'started')
    const key = randomUUID().slice(0, 16)
    const note = `echo "$LOOPER_TURN" >> '${log}'`
    const answer = `if [ "$LOOPER_PURPOSE" = verify-task ]; then echo '{"score":90,"summary":"good"}'; else echo '{"status":"complete","summary":"done"}'; fi`
    const agents = {
      writer: shell(`${note}; echo made > made.txt; ${answer}`),
      endless: shell(`echo half > half.txt; ${note}; sleep 600`),
    } satisfies Record<SiteAgent, unknown>
    const checks: string[] = []
    const dispatches: LocalDispatch[] = []
    const create = async (): Promise<Site> => {
      const dispatch = createLocalDispatch({
        runDir,
        key,
        agents,
        mask: createMask([], []),
        env: process.env,
        playerPath: '',
        mcpPath: '',
        driverPath: '',
        async runCheck({ work }) {
          checks.push(work.id)
          return passed
        },
        timings: { pollMs: 10, graceMs: 200, sweepGraceMs: 50, hintMs: 0 },
      })
      dispatches.push(dispatch)
      return createLocalSite({ workspaces: await makeWorktrees(repository), dispatch, prompt, hooksOf })
    }
    return {
      site: await create(),
      reopen() {
        for (const dispatch of dispatches) dispatch.close()
        return create()
      },
      starts: (id) =>
        [...checks, ...(existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [])].filter((line) => line === id)
          .length,
      tick: () => sleep(10),
      async close() {
        for (const dispatch of dispatches) dispatch.close()
        await endMarked(`${key}:`, { graceMs: 0 })
      },
    }
  },
}

const ways: Record<SiteAgent, Pick<Behavior, 'durationMs' | 'half' | 'end'>> = {
  writer: {
    durationMs: 500,
    half: (found) => found,
    end: (found) => ({ files: { ...found, 'made.txt': 'made' }, answer: { status: 'ok', result: {} } }),
  },
  endless: {
    durationMs: 1_000_000,
    half: (found) => ({ ...found, 'half.txt': 'half' }),
    end: (found) => ({ files: found, answer: { status: 'ok', result: {} } }),
  },
}

export const virtualSite: SiteKind = {
  name: 'the site of the virtual world',
  async open(hooksOf) {
    const clock = createVirtualClock()
    const git = createVirtualGit(files)
    const folders: VerificationFolders = new Map()
    const random = createRandom(1)
    const begun: string[] = []
    const machine = createMachine({
      scenario: {
        seed: 1,
        trouble: 0,
        config: defaultConfig(),
        plan: [],
        discovery: false,
        badHints: false,
        faults: [],
        resumes: 0,
        patient: true,
      },
      random,
      clock,
      now: clock.now,
      isRepaired: () => false,
      read: (place) => folders.get(place) ?? git.checkout(place),
      write(place, written) {
        if (folders.has(place)) folders.set(place, written)
        else git.place(place, written)
      },
      behave: ({ agent }) => ({ usage: { ...noUsage }, ...ways[agent as SiteAgent] }),
      onStart: ({ work }) => void begun.push(work.id),
      onEnd() {},
    })
    let life: Life = { n: 0, alive: false }
    const create = (): Site => {
      life = { n: life.n + 1, alive: true }
      const workspaces = createVirtualWorkspaces(
        {
          git,
          clock,
          random: random.fork(`git of ${life.n}`),
          inPlace: false,
          commits: true,
          folders,
          checksParallel: 1,
          isFull: () => false,
          onStep() {},
          onLanded() {},
        },
        life,
      )
      return createLocalSite({ workspaces, dispatch: machine.dispatch(life), prompt, hooksOf })
    }
    const world: SiteWorld = {
      site: create(),
      async reopen() {
        life.alive = false
        machine.engineDied(life)
        return create()
      },
      starts: (id) => begun.filter((started) => started === id).length,
      async tick() {
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
        clock.step()
      },
      close: async () => {},
    }
    return world
  },
}

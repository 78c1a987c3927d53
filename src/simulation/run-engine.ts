/** Runs one life of the real engine on the virtual machine, from its start until it rests or dies. */
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import type { Fact } from '../model/event.ts'
import { frozen } from '../model/frozen.ts'
import type { RunState } from '../model/state.ts'
import { isSafeId } from '../model/task-id.ts'
import { createLocalSite } from '../site/local-site.ts'
import { keepInStep, type TaskSource } from '../sources/in-step.ts'
import { createMirror } from '../sources/mirror.ts'
import type { Random } from './random.ts'
import { startOf } from './run-start.ts'
import type { Scenario } from './scenario.ts'
import { clockOf, pass, type Life, type VirtualClock } from './virtual-clock.ts'
import type { VirtualDisk } from './virtual-disk.ts'
import type { Machine } from './virtual-dispatch.ts'
import type { VirtualGit } from './virtual-git.ts'
import { virtualGuard } from './virtual-guard.ts'
import type { VirtualSource } from './virtual-source.ts'
import type { VirtualUser } from './virtual-user.ts'
import type { VerificationFolders } from './virtual-verification.ts'
import { createVirtualWorkspaces } from './virtual-workspaces.ts'
import type { Witness } from './witness.ts'

/** The limits with which the user resumes a run. */
export type Limits = Fact<'run.resumed'>['limits']

/** What outlives an engine. */
export interface Surroundings {
  scenario: Scenario
  random: Random
  chance: Random
  clock: VirtualClock
  disk: VirtualDisk
  git: VirtualGit
  folders: VerificationFolders
  machine: Machine
  source: VirtualSource | null
  user: VirtualUser
  witness: Witness
  /** Whether the start of the work is durable. */
  isPromised: (work: string) => boolean
}

/** `onReady` gets the engine before it runs. Rejects when the engine refuses to run, as a real one would. */
export async function runEngine(
  surroundings: Surroundings,
  life: Life,
  limits: Limits,
  onReady: (engine: Engine) => void,
): Promise<RunState> {
  const { scenario, chance, clock, disk, git, machine, user, witness } = surroundings
  const { journal, snapshots } = disk.open(life)
  let begun = false
  const saved = (await snapshots.load()) ?? initialState()
  const state = (await journal.load(saved.seq)).reduce(evolve, saved)
  if (state.status === 'completed' || state.status === 'aborted') return rested(witness, state)
  const workspaces = workspacesFor(surroundings, life)
  const inStep = sourceFor(surroundings, life, state)
  const engine = createEngine({
    state,
    journal,
    snapshots,
    site: createLocalSite({
      workspaces,
      dispatch: machine.dispatch(life),
      prompt: ({ id }, { diff }) => `${id}\n${diff ?? ''}`,
    }),
    clock: clockOf(clock, life),
    clean: frozen,
    inbox: {
      async read() {
        await pass(clock, life, 1)
        return user.inbox()
      },
      async acknowledge(id) {
        if (!life.alive) return
        witness.saw({ kind: 'acknowledged', id, begun })
        user.acknowledge(id)
      },
    },
    ...(inStep ? { sync: inStep.poll } : {}),
    guard: async () => virtualGuard,
    onEvent(event) {
      const { seq } = event
      begun = true
      if (seq > disk.events.length) witness.saw({ kind: 'announced', seq })
      inStep?.touch(event)
    },
    async finish() {
      await pass(clock, life, chance.int(2, 60))
      await inStep?.settle()
      if (state.conclusion?.status === 'completed') await workspaces.clean()
    },
  })
  onReady(engine)
  try {
    const begin: Fact = state.status === 'new' ? startOf(scenario, git.base) : { type: 'run.resumed', limits }
    rested(witness, await engine.run(begin))
    if (inStep) await settle(surroundings, inStep, state.seq)
    return state
  } finally {
    inStep?.stop()
  }
}

function rested(witness: Witness, state: RunState): RunState {
  witness.rested({ seq: state.seq, state: JSON.stringify(state) })
  return state
}

const workspacesFor = (
  { scenario, random, clock, disk, git, folders, witness, isPromised }: Surroundings,
  life: Life,
) =>
  createVirtualWorkspaces(
    {
      git,
      clock,
      random: random.fork(`git of ${life.n}`),
      inPlace: scenario.config.workspace.mode === 'in-place',
      commits: scenario.config.workspace.commit,
      folders,
      checksParallel: scenario.config.checksParallel,
      isFull: () => disk.full,
      onStep: (work) => witness.saw({ kind: 'git', work, promised: isPromised(work) }),
      onLanded: ({ task, id }, commit) =>
        witness.saw({ kind: 'landed', task, work: id, commit, tree: git.treeOf(commit) }),
      onRolledBack: ({ from, to }) => witness.saw({ kind: 'rolled-back', from, to }),
    },
    life,
  )

function sourceFor({ source, clock }: Surroundings, life: Life, state: RunState): TaskSource | null {
  if (source === null) return null
  const objection = (id: string): string | null => (isSafeId(id) ? null : `${id} cannot be used`)
  const mirror = createMirror({ ...source.open(life), run: '001-virtual', objection })
  return keepInStep({ mirror, state, clock: clockOf(clock, life), documents: () => [], onTrouble() {} })
}

async function settle({ source, witness }: Surroundings, inStep: TaskSource, seq: number): Promise<void> {
  await inStep.settle()
  const tasks = source?.tasks() ?? []
  const others = tasks.map(({ id }) => id).filter((id) => source?.isOthers(id))
  witness.saw({ kind: 'settled', seq, tasks, others })
}

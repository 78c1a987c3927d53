/** The steps of a task in a work tree, as the engine asks for them, for the tests of this folder. */
import type { IntegrateOutcome } from '../../src/model/work.ts'
import { makeWorktrees, openRepository, type Repository, type Worktrees } from './repository.ts'

export const prepare = (worktrees: Worktrees, workspace: string, attempt = 1) =>
  worktrees.prepare({ kind: 'prepare', id: `${workspace}/a${attempt}/prepare`, workspace })

export const inspect = (worktrees: Worktrees, workspace: string, base: string | null, restore: string | null = null) =>
  worktrees.inspect({ kind: 'inspect', id: `${workspace}/a1/inspect0`, workspace, base, restore })

export const mergeOnly = (
  worktrees: Worktrees,
  task: string,
  base: string | null,
  tree: string | null = null,
  round = '0',
  landAnyway = false,
): Promise<IntegrateOutcome> =>
  worktrees.integrate({
    kind: 'integrate',
    id: `${task}/a1/merge${round}`,
    workspace: task,
    task,
    title: `Do ${task}`,
    base,
    step: { kind: 'merge', tree, landAnyway },
  })

/** Merges, and lands where nothing else has landed since the base: there is nothing new to check then. */
export async function merge(
  ...[worktrees, task, base, tree, round = '0', landAnyway]: Parameters<typeof mergeOnly>
): Promise<IntegrateOutcome> {
  const merged = await mergeOnly(worktrees, task, base, tree, round, landAnyway)
  return merged.status === 'merged' && merged.onto === base
    ? land(worktrees, task, base, merged.commit, merged.onto, round)
    : merged
}

/** Puts the workspace at a merged tree. */
export const move = (worktrees: Worktrees, task: string, { tree, onto }: { tree: string; onto: string }) =>
  worktrees.integrate({
    kind: 'integrate',
    id: `${task}/a1/move0`,
    workspace: task,
    task,
    title: `Do ${task}`,
    base: onto,
    step: { kind: 'move', tree, onto },
  })

export const land = (worktrees: Worktrees, task: string, base: string, commit: string, onto: string, round = '0') =>
  worktrees.integrate({
    kind: 'integrate',
    id: `${task}/a1/land${round}`,
    workspace: task,
    task,
    title: `Do ${task}`,
    base,
    step: { kind: 'land', commit, onto },
  })

interface Ready {
  worktrees: Worktrees
  base: string
  /** The work tree of a task, to work in as an agent would. */
  at: (task: string) => Repository
}

export async function ready(repository: Repository, ...tasks: string[]): Promise<Ready> {
  const worktrees = await makeWorktrees(repository)
  let base = ''
  for (const task of tasks) base = (await prepare(worktrees, task)).base ?? ''
  return { worktrees, base, at: (task) => openRepository(worktrees.path(task)) }
}

export const tip = (repository: Repository): string => repository.git('rev-parse', 'looper/001-demo')

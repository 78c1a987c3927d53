/** A repository with its agents as the core sees them: answers each piece of work from the world's trees. */
import type { RunState } from '../../src/model/state.ts'
import type { TamperFinding } from '../../src/model/tamper.ts'
import type {
  CheckOutcome,
  IntegrateOutcome,
  IntegrateWork,
  Outcome,
  TurnOutcome,
  TurnWork,
  Work,
} from '../../src/model/work.ts'
import { checkExit, coded, planOf, tested, verdict } from '../../test/kit/play.ts'
import { createAgents } from './agents.ts'
import { changed, markers, take, type Tree } from './tree.ts'
import { checkOf, lint, suite, type World, type WorldTask } from './world.ts'

interface Commit {
  tree: Tree
  parent: string | null
}

export function openPlace(world: World, stateNow: () => RunState) {
  const agents = createAgents(world)
  const commits = new Map<string, Commit>([['c0', { tree: {}, parent: null }]])
  const places = new Map<string, Tree>()
  /** Trees with new tests laid over old code. */
  const overlaid = new Set<string>()
  const resolving = new Map<string, string>()
  let tip = 'c0'
  const treeAt = (commit: string): Tree => commits.get(commit)?.tree ?? {}
  const commitOf = (tree: Tree, parent: string): string => {
    const id = `c${commits.size}`
    commits.set(id, { tree, parent })
    return id
  }

  const asTask = ({ id, dependsOn, file, declared }: WorldTask) => ({
    id,
    title: `Make ${id}`,
    dependsOn,
    checks: [checkOf(id)],
    files: declared ? [file] : [],
    criteria: [`${id} works`],
  })

  function turn(work: TurnWork): TurnOutcome {
    const tree = work.tree === null ? (places.get(work.workspace) ?? {}) : world.treeOf(work.tree)
    const { task } = work
    switch (work.purpose) {
      case 'plan':
      case 'revise':
        return planOf(world.roots.flatMap((id) => world.tasks.get(id) ?? []).map(asTask))
      case 'split':
        return planOf(world.split(task ?? '').map(asTask))
      case 'test':
        return agents.test(task ?? '', tree) ? tested() : tested({ status: 'failed', failed: 1, summary: 'it is red' })
      case 'verify-task':
        return agents.judge('supervisor', task ?? '', tree) ? verdict(85) : verdict(55)
      case 'verify-goal':
        return verdict(agents.review('goal', tree).length === 0 ? 85 : 55)
      case 'review-plan':
        return world.again('review plan').chance(0.9) ? verdict(80) : verdict(60)
      default:
        return write(work, tree)
    }
  }

  function write({ task, agent, purpose, workspace, attempt }: TurnWork, tree: Tree): TurnOutcome {
    const id = task ?? ''
    if (purpose === 'resolve-conflict') {
      places.set(workspace, agents.resolve(id, agent, tree, resolving.get(workspace) ?? 'base').tree)
      return coded()
    }
    const known = stateNow().tasks[id]
    const given = known?.alternate ? 'approach' : attempt > 1 || purpose === 'fix' ? 'failure' : 'nothing'
    places.set(workspace, agents.code({ task: id, tree, agent, fix: purpose === 'fix', given }).tree)
    return coded()
  }

  function check(name: string, tree: string): CheckOutcome {
    if (overlaid.has(tree)) return checkExit(1, { tests: 5, failing: ['new test'], fingerprint: 'overlay' })
    const { failing, flake, legacy } = world.check(name, world.treeOf(tree))
    const red = [...failing, ...(flake ? ['now and then'] : []), ...(legacy && name === suite ? ['old'] : [])]
    if (red.length === 0 && !legacy) return checkExit(0, { tests: name === lint ? null : 50 })
    return checkExit(1, {
      tests: name === lint ? null : 50,
      tail: `${name}: ${red.join()}`,
      fingerprint: `${name}:${red.join()}`,
      ...(red.length > 0 ? { failing: red } : {}),
    })
  }

  /** What the guard finds: real ones as far as it can see them, and once in a hundred times something that is none. */
  function tamper(tree: Tree, keys: readonly string[]): TamperFinding[] {
    const draw = world.again('guard')
    const weak = keys.filter(
      (key) => tree[key]?.weakened && !world.chance.fork(`guard ${tree[key]?.version}`).chance(world.level.unseen),
    )
    if (weak.length === 0 && keys.length > 0 && draw.chance(0.01)) weak.push('a refactoring')
    return weak.map((key) => ({
      kind: 'assertions-removed',
      file: `test/${key}.test.js`,
      test: key,
      detail: '3 assertions, now 0',
    }))
  }

  function inspect(work: Extract<Work, { kind: 'inspect' }>): Outcome {
    if (work.restore !== null) places.set(work.workspace, world.treeOf(work.restore))
    const tree = places.get(work.workspace) ?? {}
    const keys = changed(work.base === null ? {} : treeAt(work.base), tree).filter((key) => key !== markers)
    return {
      kind: 'inspect',
      tree: world.nameOf(tree),
      files: keys,
      fileCount: keys.length,
      insertions: 10 * keys.length,
      deletions: 0,
      restored: work.restore !== null,
      hashes: Object.fromEntries(keys.map((key) => [`src/${key}.js`, tree[key] ? `v${tree[key].version}` : null])),
      ...(work.resolves ? { unresolved: tree[markers] ? [{ file: 'src/a.js', why: 'markers' as const }] : [] } : {}),
      ...(work.guard ? { tamper: tamper(tree, keys), newTests: keys.map((key) => `test/${key}.test.js`) } : {}),
    }
  }

  function integrate(work: IntegrateWork): IntegrateOutcome {
    const { step, workspace, task } = work
    if (step.kind === 'land') {
      if (tip !== step.onto) return { kind: 'integrate', status: 'moved' }
      tip = step.commit
      return { kind: 'integrate', status: 'landed', commit: tip }
    }
    if (step.kind === 'revert') return revert(step.commit)
    if (step.kind === 'move') {
      places.set(workspace, world.treeOf(step.tree))
      return { kind: 'integrate', status: 'placed' }
    }
    const onto = step.onto ?? tip
    const stacked = step.onto === undefined ? {} : ({ stacked: true } as const)
    const base = treeAt(work.base ?? 'c0')
    const mine = world.treeOf(step.tree ?? '')
    const merged = take(treeAt(onto), mine, changed(base, mine))
    const other = conflictingTask(task, changed(base, treeAt(onto)))
    if (other !== null) {
      const both: Tree = agents.put(merged, { task: markers, good: false, shows: true, breaks: [], weakened: false })
      if (step.onto === undefined) {
        resolving.set(workspace, other)
        places.set(workspace, both)
      }
      const files = [world.tasks.get(task)?.file ?? 'a']
      return {
        kind: 'integrate',
        status: 'conflict',
        onto,
        files,
        tree: world.nameOf(both),
        theirs: step.tree ?? '',
        ...stacked,
      }
    }
    return {
      kind: 'integrate',
      status: 'merged',
      commit: commitOf(merged, onto),
      tree: world.nameOf(merged),
      onto,
      ...stacked,
    }
  }

  /** Whose change of the same file landed meanwhile and does not go together with this one. */
  function conflictingTask(task: string, landed: readonly string[]): string | null {
    const file = world.tasks.get(task)?.file
    const others = landed.filter((key) => key !== task && world.tasks.get(key)?.file === file)
    return others.find((key) => world.again(`conflict ${task} ${key}`).chance(world.level.conflict)) ?? null
  }

  function revert(commit: string): IntegrateOutcome {
    const after = treeAt(commit)
    const before = treeAt(commits.get(commit)?.parent ?? 'c0')
    const keys = changed(before, after)
    if (changed(take({}, treeAt(tip), keys), take({}, after, keys)).length > 0) {
      return { kind: 'integrate', status: 'conflict', onto: tip, files: keys, tree: world.nameOf(treeAt(tip)) }
    }
    const tree = take(treeAt(tip), before, keys)
    places.set('main', tree)
    return { kind: 'integrate', status: 'merged', commit: commitOf(tree, tip), tree: world.nameOf(tree), onto: tip }
  }

  /** The tests as they were over what is there now: what was weakened since is not. */
  function reverse({ base, tree }: Extract<Work, { kind: 'overlay' }>): Outcome {
    const [before, after] = [treeAt(base), world.treeOf(tree)]
    const keys = changed(before, after).filter((key) => key !== markers)
    const strict = keys.filter((key) => after[key]?.weakened && !before[key]?.weakened)
    const laid = strict.reduce((now, key) => {
      const change = now[key]
      return change ? agents.put(now, { ...change, weakened: false }) : now
    }, after)
    return {
      kind: 'overlay',
      tree: world.nameOf(laid),
      touches: { tests: keys.map((key) => `test/${key}.test.js`), data: [], machinery: [] },
    }
  }

  function perform(work: Work): Outcome {
    switch (work.kind) {
      case 'prepare': {
        const base = work.at ?? tip
        places.set(work.workspace, treeAt(base))
        return { kind: 'prepare', base, tree: world.nameOf(treeAt(base)) }
      }
      case 'turn':
        return turn(work)
      case 'check':
        return check(work.name, work.tree ?? world.nameOf(treeAt(work.commit ?? tip)))
      case 'inspect':
        return inspect(work)
      case 'integrate':
        return integrate(work)
      case 'overlay': {
        if (work.how === 'reverse') return reverse(work)
        const tree = `${work.tree} on ${work.base}`
        overlaid.add(tree)
        return { kind: 'overlay', tree }
      }
      case 'checkpoint':
        return { kind: 'checkpoint', ref: `refs/looper/run/checkpoints/${work.name}` }
      case 'rollback':
        if (tip !== work.from) return { kind: 'rollback', status: 'moved', kept: null }
        tip = work.to
        return { kind: 'rollback', status: 'done', kept: 'refs/looper/run/set-aside/1' }
      case 'sync':
        return { kind: 'sync', tasks: [], removed: [], claim: null, complete: false, problems: [] }
      case 'wait':
        return { kind: 'wait' }
      case 'finish':
        return { kind: 'finish' }
    }
  }

  return { perform, tip: (): Tree => treeAt(tip) }
}

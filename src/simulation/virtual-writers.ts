/** Virtual agents that write files: the coder, and the iterator of a backlog or a loop. */
import type { TurnWork } from '../model/work.ts'
import { isStep, lastStep, stemOf } from '../model/work-id.ts'
import type { Random } from './random.ts'
import { resolved, waysToResolve } from './resolve.ts'
import type { PlannedTask, Scenario } from './scenario.ts'
import { complete, discoveries, iterated, question, type Answer } from './virtual-answers.ts'
import { fileOf, specOf, suiteOf } from './virtual-files.ts'
import { ignoredFor, type Files } from './virtual-git.ts'

/** The final files and the answer of a turn. */
export interface Left {
  files: Files
  answer: Answer
}

/** Writes a task, a fix or the resolution of a conflict. */
export function coder(work: TurnWork, scenario: Scenario, random: Random, wrong: boolean, found: Files): Left {
  const files = work.purpose === 'resolve-conflict' ? resolved(found, random.pick(waysToResolve)) : found
  const { good, written, id } = hand(work, scenario, files, random)
  if (!wrong) return { files: good(), answer: complete(discoveries(scenario, random, id)) }
  const dice = random.int(0, 9)
  const leans = dice < 1 && scenario.config.workspace.mode === 'worktree'
  if (leans)
    return { files: { ...written('leaning'), [ignoredFor(fileFor(work))]: 'what it needs' }, answer: complete() }
  if (dice < 4) return { files: written('bad'), answer: complete() }
  if (dice < 5) return { files: written(random.chance(0.5) ? 'ugly' : 'sly'), answer: complete() }
  if (dice < 7) return { files, answer: complete() }
  const blocked = { status: 'blocked', blocker: { kind: 'external', reason: 'no network' } }
  if (dice < 8) return { files: written('half'), answer: complete([], blocked) }
  return { files, answer: complete([], { status: 'needs_clarification', questions: [question(random)] }) }
}

/** The files that a writing agent leaves; `good` is the correct content. */
function hand(work: TurnWork, scenario: Scenario, files: Files, random: Random) {
  const id = work.task ?? 'none'
  const mark = work.task === null ? work.slot : `${id} ${work.attempt}`
  const own = scenario.plan.find((entry) => entry.id === id)
  const aside = {
    ...suiteFor(work, scenario, own, files, random),
    ...(own?.asks === 'fix' ? { 'legacy.txt': 'good legacy' } : {}),
  }
  const written = (state: string, more = ''): Files => ({
    ...files,
    ...aside,
    [fileFor(work)]: `${state} ${mark}${more}`,
  })
  const good = (): Files => {
    const clash = own?.clash === true && isFirst(work)
    const breaks =
      own?.breaks !== undefined && isFirst(work) && (work.attempt === 1 || random.fork('breaks').chance(0.4))
    const done = written(
      clash ? 'clash' : 'good',
      `${own?.shared ? ' shares' : ''}${breaks ? ` breaks ${own.breaks}` : ''}`,
    )
    const spec = own?.tests ? { [specOf(id)]: `${own.tests} ${id}` } : {}
    const shared = files['shared.txt'] ?? ''
    return {
      ...done,
      ...spec,
      ...(own?.shared === true && !shared.includes(id) ? { 'shared.txt': `${shared}|${id}` } : {}),
    }
  }
  return { id, written, good }
}

/** The existing tests of the task: weakened, or restored by an agent that does better. */
function suiteFor(
  { task }: TurnWork,
  { unrest, plan }: Scenario,
  own: PlannedTask | undefined,
  files: Files,
  random: Random,
): Files {
  const id = task ?? plan[0]?.id
  if (unrest === undefined || id === undefined || files[suiteOf(id)] === undefined) return {}
  const weakens = random.fork('suite').chance(own?.asks === 'weaken' ? 0.7 : unrest.tampering)
  return { [suiteOf(id)]: weakens ? `weakened by ${id}` : 'tests' }
}

const isFirstOf = (slot: string): boolean => isStep(slot, 'iterate') && lastStep(slot)?.nth === null

/** The first implementation, not a fix. */
const isFirst = ({ purpose, slot }: TurnWork): boolean =>
  purpose === 'implement' || purpose === 'scaffold' || isFirstOf(slot)

/** A task of a backlog, or a pass of a loop. */
export function iterator(work: TurnWork, scenario: Scenario, random: Random, wrong: boolean, files: Files): Left {
  const { good, written, id } = hand(work, scenario, files, random)
  if (!wrong && work.task === null) return passed(random, files, good)
  if (!wrong)
    return { files: good(), answer: iterated({ task_id: work.task, new_tasks: discoveries(scenario, random, id) }) }
  const dice = random.int(0, 13)
  if (dice < 3) return { files: written('bad'), answer: iterated() }
  if (dice < 4) return { files: written('ugly'), answer: iterated({ plateau: true }) }
  if (dice < 5) return { files, answer: iterated() }
  if (dice < 6) return { files: good(), answer: iterated({ task_id: 'T-none' }) }
  if (dice < 7) return { files: written('half'), answer: iterated({ status: 'continue' }) }
  if (dice < 8) return { files, answer: iterated({ status: 'skipped', summary: 'not needed' }) }
  if (dice < 10) return { files: written('half'), answer: iterated({ status: 'blocked', blockers: ['no network'] }) }
  if (dice < 11) return { files, answer: iterated({ status: 'stop' }) }
  return { files, answer: iterated({ status: 'blocked', questions: [question(random)] }) }
}

/** A successful pass may find nothing to do and report that. */
function passed(random: Random, files: Files, good: () => Files): Left {
  const plateau = random.chance(0.4)
  const status = random.pick(['done', 'done', 'done', 'continue', 'stop', 'skipped'])
  return {
    files: plateau && random.chance(0.5) ? files : good(),
    answer: iterated({ status, plateau, output: 'for those after me' }),
  }
}

/** All passes of one pipeline stage write the same file. */
export const fileFor = ({ task: id, slot }: TurnWork): string => fileOf(id ?? stemOf(slot))

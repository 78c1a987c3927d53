/**
 * A small run with instant agents that is killed at given moments and gone on with, and what must be true of it in the
 * end.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Event } from '../../src/model/event.ts'
import { acquireLock, lockName } from '../../src/platform/lock.ts'
import { kindsOf, startWith, stepsOf, type Step } from '../kit/faults.ts'
import { eventsSoFar, follow, landed, removeAll, starts, survivors, treeOf } from '../kit/live.ts'
import { createProject, type Ended, type Project } from '../kit/project.ts'
import type { Moment } from './moment.ts'

/**
 * One after the other, or side by side: then the second merges onto what the first has landed, and is checked again.
 */
export type Plan = 'chain' | 'pair'

/** It starts no other program, so it is over in a moment; unless it is given something to do in between. */
const agent = (meanwhile: string, plan: Plan): string => `#!/bin/sh
echo "$LOOPER_TURN $$" >> "$NOTES/starts"
${meanwhile}
case $LOOPER_ROLE in
  planner) tasks='{ "id": "T001", "title": "one" }, { "id": "T002", "title": "two"${plan === 'chain' ? ', "dependsOn": ["T001"]' : ''} }'
    echo "{ \\"status\\": \\"plan\\", \\"tasks\\": [$tasks] }" > "$LOOPER_RESULT_FILE" ;;
  coder) echo "made by $LOOPER_TASK" > "$LOOPER_TASK.txt"
    echo '{ "status": "complete", "summary": "made" }' > "$LOOPER_RESULT_FILE" ;;
esac
`

export const goal = 'make two files'

/** `npm run test:hostile` tries more moments than `npm test`. */
export const isDense = process.env['LOOPER_SWEEP'] === 'dense'

interface Options {
  meanwhile?: string | undefined
  plan?: Plan
  config?: Record<string, unknown>
}

export function smallProject({ meanwhile = ':', plan = 'chain', config = {} }: Options = {}): Project {
  const project = createProject()
  const program = join(dirname(project.root), 'agent.sh')
  writeFileSync(program, agent(meanwhile, plan), { mode: 0o755 })
  project.configure({
    agents: { quick: { command: [program], env: { NOTES: project.notes } } },
    review: false,
    ...config,
  })
  return project
}

/** Each of the engines of one run is killed at a moment, the last one is not. */
export interface Trial {
  moments: readonly Moment[]
  /** How long agents take: long enough, and the next engine finds them at work. */
  agentMs: number
  plan: Plan
}

export interface Survived {
  /** What was the last step before each kill; null when it came too late. */
  struck: (string | null)[]
  /** None, when all is well. */
  problems: string[]
  /** All that the last process changed. */
  steps: Step[]
  ms: number
}

export async function survive({ moments, agentMs, plan }: Trial): Promise<Survived> {
  const project = smallProject({ plan, meanwhile: agentMs === 0 ? undefined : `sleep ${agentMs / 1_000}` })
  const struck: Survived['struck'] = []
  const problems: string[] = []
  const begun = performance.now()
  let isOver = false
  try {
    for (const moment of [...moments, null]) {
      const words = await nextWords(project, problems)
      isOver = words === null
      if (words === null) break
      const ended = await live(project, moment, words)
      if (moment !== null) struck.push(ended.code === null ? (stepsOf(project).at(-1) ?? 'its start') : null)
      if (moment === null || ended.code !== null) problems.push(...refusals(ended))
    }
    const ms = performance.now() - begun
    return {
      struck,
      steps: kindsOf(project),
      ms,
      problems:
        problems.length > 0 ? problems : (await wrong(project, plan)).filter((each) => !isOver || !isLeft(each)),
    }
  } finally {
    await removeAll(project)
  }
}

/** A temporary file is removed with the next write: no process follows one that was killed after the end of the run. */
const isLeft = (problem: string): boolean => problem.startsWith('leftovers: ')

/** What a user would say now; null when the run has ended. */
async function nextWords(project: Project, problems: string[]): Promise<string[] | null> {
  const events = eventsSoFar(project, runOf(project))
  if (events.some(({ type }) => type === 'run.ended')) return null
  if (events.length > 0) return ['resume']
  if (!existsSync(join(project.root, '.looper/runs'))) return ['run', goal]
  const refused = await project.looper('resume')
  if (refused.code !== 2 || !/^looper: .*\n {2}.*looper run.*\n$/.test(refused.stderr))
    problems.push(`resume of nothing: ${JSON.stringify(refused)}`)
  return ['run', goal]
}

async function live(project: Project, moment: Moment | null, words: string[]): Promise<Ended> {
  const looper = follow(startWith(project, moment !== null && 'at' in moment ? { kill: moment } : {}, ...words))
  if (moment === null || 'at' in moment) return looper.ended
  const timer = setTimeout(() => looper.kill('SIGKILL'), moment.ms)
  const ended = await looper.ended
  clearTimeout(timer)
  return ended
}

const refusals = ({ code, stdout, stderr }: Ended): string[] =>
  code === 0 && stderr === '' ? [] : [`ended with ${code}: ${stderr}${code === 0 ? '' : stdout.slice(-2_000)}`]

/** The newest run, also when the link to it was never made. */
function runOf({ root }: Project): string {
  const runs = join(root, '.looper/runs')
  return (
    (existsSync(runs) ? readdirSync(runs) : [])
      .filter((name) => /^\d/.test(name))
      .toSorted()
      .at(-1) ?? 'none'
  )
}

/** What is not as it must be after any crash. */
export async function wrong(project: Project, plan: Plan = 'chain'): Promise<string[]> {
  const run = runOf(project)
  const found = { ...storyOf(eventsSoFar(project, run)), ...placeOf(project, run), isFree: await isFree(project, run) }
  // Side by side, either may be first.
  if (plan === 'pair') for (const list of [found.tasks, found.landed]) list.sort()
  return Object.entries(right(run)).flatMap(([law, expected]) => {
    const [is, should] = [JSON.stringify(found[law as keyof typeof found]), JSON.stringify(expected)]
    return is === should ? [] : [`${law}: ${is} instead of ${should}`]
  })
}

type Found = ReturnType<typeof storyOf> & ReturnType<typeof placeOf> & { isFree: boolean }

const right = (run: string): Found => ({
  isNumbered: true,
  tasks: ['T001', 'T001 done', 'T002', 'T002 done'],
  isCompleted: true,
  doneTwice: [],
  files: [
    ['README.md', '# test'],
    ['T001.txt', 'made by T001'],
    ['T002.txt', 'made by T002'],
  ],
  landed: ['T001', 'T002'],
  turns: ['T001/a1/implement', 'T002/a1/implement', 'plan/r0'],
  survivors: [],
  refs: [`heads/looper/${run}`, 'heads/main', ...['T001/a1', 'T002/a1', 'tip'].map((name) => `looper/${run}/${name}`)],
  worktrees: 1,
  isKept: true,
  isScratchGone: true,
  leftovers: [],
  status: '?? .looper/',
  sound: '',
  isFree: true,
})

/** As the journal tells it. */
function storyOf(events: readonly Event[]) {
  let resumes = 0
  const finished = events.flatMap((event) => {
    if (event.type === 'run.resumed') resumes++
    // The gate trusts no earlier process: a resume starts it over.
    return event.type === 'work.finished'
      ? [{ id: event.id, key: event.id.startsWith('gate/') ? `${event.id} ${resumes}` : event.id }]
      : []
  })
  const keys = finished.map(({ key }) => key)
  return {
    isNumbered: events.every(({ seq }, index) => seq === index + 1),
    tasks: events.flatMap((event) =>
      event.type === 'task.started'
        ? [event.task]
        : event.type === 'task.finished'
          ? [`${event.task} ${event.status}`]
          : [],
    ),
    isCompleted: events.filter((event) => event.type === 'run.ended' && event.status === 'completed').length === 1,
    doneTwice: finished.flatMap(({ id, key }, index) => (keys.indexOf(key) === index ? [] : [id])),
  }
}

/** Checkpoints as git has them, and as the journal tells. */
const keptOf = (project: Project, run: string): string =>
  project.git('for-each-ref', '--format=%(refname:lstrip=4) %(*objectname)', `refs/looper/${run}/checkpoints`)
const toldOf = (project: Project, run: string): string =>
  project
    .events(run)
    .flatMap((event) => (event.type === 'checkpoint.made' ? [`${event.checkpoint.id} ${event.checkpoint.commit}`] : []))
    .join('\n')

/** As it is on disk, in git and among the processes. */
function placeOf(project: Project, run: string) {
  const branch = `looper/${run}`
  const names = treeOf(project, branch)
    .split('\n')
    .map((line) => line.split('\t')[1] ?? '')
  return {
    files: names.map((name) => [name, project.git('show', `${branch}:${name}`)]),
    landed: landed(project, branch),
    turns: starts(project).toSorted(),
    survivors: survivors(project, run),
    refs: project
      .git('for-each-ref', '--format=%(refname:lstrip=1)')
      .split('\n')
      .filter((name) => !/\/checkpoints\/|-merged$/.test(name)),
    isKept: keptOf(project, run) === toldOf(project, run),
    worktrees: project.git('worktree', 'list').split('\n').length,
    isScratchGone: !existsSync(project.workspaces) || readdirSync(project.workspaces).length === 0,
    leftovers: leftoversIn(project),
    status: project.git('status', '--porcelain'),
    sound: project.git('fsck', '--no-dangling', '--no-progress'),
  }
}

/** Temporary files, but for those in the folder of a run that was killed before its journal began: no run uses it. */
const leftoversIn = (project: Project): string[] =>
  readdirSync(join(project.root, '.looper'), { recursive: true, encoding: 'utf8' }).filter((path) => {
    const [, run = ''] = /^runs\/(\d[^/]*)\//.exec(path) ?? []
    const isBegun = run === '' || eventsSoFar(project, run).length > 0
    return isBegun && basename(path).startsWith('.tmp-')
  })

async function isFree({ root }: Project, run: string): Promise<boolean> {
  const lock = await acquireLock(lockName(join(root, '.looper/runs', run)))
  await lock?.release()
  return lock !== null
}

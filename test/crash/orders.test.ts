/**
 * A command to a live run, and a kill around it: it is obeyed exactly once after the run was gone on with, and never by
 * half.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type TestContext } from 'vitest'
import { startWith, type Faults } from '../kit/faults.ts'
import {
  eventsSoFar,
  follow,
  go,
  held,
  killHard,
  landed,
  removeAll,
  starts,
  survivors,
  until,
  type Process,
} from '../kit/live.ts'
import type { Project } from '../kit/project.ts'
import { goal, smallProject } from './small-run.ts'

const waiting = `if test "$LOOPER_TASK" = T001; then
  echo coder >> "$NOTES/held"
  until test -e "$NOTES/coder.go"; do sleep 0.02; done
fi`
const order = ['task', 'add', 'a third file'] as const

/** A run whose first coder waits for a word, so that its engine has nothing to do but to listen. */
async function begin(
  { onTestFinished }: TestContext,
  kill?: Faults['kill'],
): Promise<{ project: Project; looper: Process }> {
  const project = smallProject({ meanwhile: waiting })
  onTestFinished(() => removeAll(project))
  const looper = follow(startWith(project, kill === undefined ? {} : { kill }, 'run', goal))
  await held(project, 'coder')
  return { project, looper }
}

const added = (project: Project): string[] =>
  eventsSoFar(project).flatMap((event) =>
    event.type === 'task.added' && event.origin.startsWith('command/') ? [event.task.id] : [],
  )

async function expectEnd(project: Project, third: 'obeyed once' | 'never given'): Promise<void> {
  const tasks = ['T001', 'T002', ...(third === 'obeyed once' ? ['T003'] : [])]
  expect(added(project)).toEqual(tasks.slice(2))
  expect(landed(project, 'looper/001-make-two-files').toSorted()).toEqual(tasks)
  expect(starts(project).toSorted()).toEqual([...tasks.map((task) => `${task}/a1/implement`), 'plan/r0'])
  expect(readdirSync(join(project.root, '.looper/runs/last/inbox')).filter((name) => name.endsWith('.json'))).toEqual(
    [],
  )
  expect(survivors(project)).toEqual([])
}

async function resumes(project: Project): Promise<void> {
  go(project, 'coder')
  expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
}

const inInbox = { path: '/inbox/' }

test.for<[string, NonNullable<Faults['kill']>, number]>([
  ['read and not yet written down', { said: '"command/', when: 'before' }, 0],
  ['written down', { said: '"command/', when: 'after' }, 1],
  ['written down and not yet acknowledged', { does: { call: 'unlink', ...inInbox }, when: 'before' }, 1],
  ['acknowledged', { does: { call: 'unlink', ...inInbox }, when: 'after' }, 1],
])('A9, killed when a command is %s', async ([, kill, times], context) => {
  const { project, looper } = await begin(context, kill)
  expect(await project.looper(...order)).toMatchObject({ code: 0, stderr: '' })
  expect(await looper.ended).toMatchObject({ code: null })
  expect(added(project)).toHaveLength(times)
  await resumes(project)
  await expectEnd(project, 'obeyed once')
})

test('A9, killed before it has read a command', async (context) => {
  const { project, looper } = await begin(context)
  looper.kill('SIGSTOP')
  expect(await project.looper(...order)).toMatchObject({ code: 0, stderr: '' })
  await killHard(looper)
  expect(added(project)).toEqual([])
  await resumes(project)
  await expectEnd(project, 'obeyed once')
})

test.for(['before', 'after'] as const)('who gives a command is killed %s it is in the inbox', async (when, context) => {
  const { project, looper } = await begin(context)
  const sender = startWith(project, { kill: { does: { call: 'rename', ...inInbox }, when } }, ...order)
  expect(await follow(sender).ended).toMatchObject({ code: null })
  if (when === 'after') await until('the command to be obeyed', () => added(project).length === 1)
  go(project, 'coder')
  expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
  await expectEnd(project, when === 'after' ? 'obeyed once' : 'never given')
})

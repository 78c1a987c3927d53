/** What a second start must find: the work that is to be kept, and no order that was meant for the first. */
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project.remove())

async function until(condition: () => boolean): Promise<void> {
  while (!condition())
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
}

test('a stop during a repair turn does not lose the turn whose answer it repairs', async () => {
  project = createProject({
    config: { review: false },
    agent: `
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }] })
if (role === 'coder' && !process.env.LOOPER_TURN.endsWith('.repair')) { write('made.txt', 'x'); answer({ nonsense: true }) }
if (role === 'coder' && process.env.LOOPER_TURN.endsWith('.repair')) {
  note('repairs', String(fs.existsSync('made.txt')))
  if (!fs.existsSync(path.join(env.NOTES, 'go'))) await sleep(600_000)
  answer({ status: 'complete' })
}
`,
  })
  const first = project.start('run', 'keep work')
  await until(() => existsSync(join(project.notes, 'repairs')))
  const ended = once(first, 'exit')
  first.kill('SIGINT')
  expect((await ended)[0]).toBe(130)
  writeFileSync(join(project.notes, 'go'), '')
  expect(await project.looper('resume')).toMatchObject({ code: 0 })
  expect(project.git('show', 'looper/001-keep-work:made.txt')).toBe('x')
  expect((await project.status()).tasks[0]).toMatchObject({ status: 'done', attempts: 1 })
})

test('a stop that was not read before the run rested does not stop the next start', async () => {
  project = createProject({ config: { review: false, limits: { turns: 1 } } })
  expect((await project.looper('run', 'rest first')).code).toBe(3)
  project.write('.looper/runs/last/inbox/1700000000000-abcdef01.json', '{"do":"stop"}\n')
  expect(await project.looper('resume', '--turns', '20')).toMatchObject({ code: 0 })
})

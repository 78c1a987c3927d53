/** The faults of this suite come from outside: they are real to Looper, and affect no other process. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startWith, stepsOf } from '../kit/faults.ts'
import { eventsSoFar, follow, removeAll } from '../kit/live.ts'
import type { Project } from '../kit/project.ts'
import { goal, smallProject, wrong } from './small-run.ts'

let project: Project
afterEach(() => removeAll(project))

test('the steps of a run are counted, and neither its agents nor its checks know of it', async () => {
  project = smallProject({ meanwhile: 'env >> "$NOTES/environments"' })
  const { agents } = JSON.parse(project.read('.looper/config.json')) as { agents: unknown }
  project.configure({ agents, review: false, checks: [`env >> '${join(project.notes, 'environments')}'`] })
  expect(await follow(startWith(project, {}, 'run', goal)).ended).toMatchObject({ code: 0, stderr: '' })
  expect(await wrong(project)).toEqual([])
  const journal = join('.looper/runs/001-make-two-files/events.jsonl')
  const appends = stepsOf(project).filter((step) => step === `write ${journal}`)
  expect(appends.length).toBeGreaterThan(10)
  expect(stepsOf(project).filter((step) => step === `datasync ${journal}`)).toHaveLength(appends.length + 1)
  const environments = readFileSync(join(project.notes, 'environments'), 'utf8')
  expect(environments).toContain('LOOPER_MARK')
  expect(environments).not.toMatch(/FAULTS|NODE_OPTIONS|faults\.cjs/)
})

test.each(['before', 'after'] as const)('a kill %s a step', async (when) => {
  project = smallProject()
  const kill = { said: '"run.started"', when }
  expect(await follow(startWith(project, { kill }, 'run', goal)).ended).toMatchObject({ code: null })
  expect(eventsSoFar(project).length > 0).toBe(when === 'after')
})

test('a kill in the middle of a write leaves half of it', async () => {
  project = smallProject()
  expect(await follow(startWith(project, { kill: { at: 1, when: 'during' } }, 'run', goal)).ended).toMatchObject({
    code: null,
  })
  const [, , write] = stepsOf(project)
  const path = join(project.root, write!.replace(/^write /, ''))
  expect(existsSync(path)).toBe(true)
  expect(existsSync(join(project.root, '.looper/.gitignore'))).toBe(false)
  const half = readFileSync(path, 'utf8')
  expect(await project.looper('run', goal)).toMatchObject({ code: 0, stderr: '' })
  const whole = project.read('.looper/.gitignore')
  expect(whole.startsWith(half)).toBe(true)
  expect(half.length).toBe(Math.ceil(whole.length / 2))
})

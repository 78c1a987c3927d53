/** A journal that a newer Looper wrote is refused by every command, with one line that says what to install. */
import { copyFileSync, appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { encodeEvent } from '../../src/journal/line.ts'
import type { Event } from '../../src/model/event.ts'
import { createProject, type Project } from '../kit/project.ts'

vi.setConfig({ testTimeout: 300_000 })
let project: Project
afterEach(() => project?.remove())

const recorded = resolve(import.meta.dirname, '../replay/journals/pipeline-with-limits.jsonl')
const run = '001-auth'

/** The recorded run, and what a Looper of the future went on with. */
function future(): string {
  project = createProject()
  const dir = join(project.root, '.looper/runs', run)
  mkdirSync(dir, { recursive: true })
  const file = join(dir, 'events.jsonl')
  copyFileSync(recorded, file)
  const seq = readFileSync(file, 'utf8').trimEnd().split('\n').length
  const at = new Date().toISOString()
  const added = [
    { seq: seq + 1, at, type: 'run.resumed', limits: {}, looper: '7.0.0' },
    { seq: seq + 2, at, type: 'memory.kept', text: 'x' },
  ]
  for (const event of added) appendFileSync(file, `${encodeEvent(event as Event)}\n`)
  return file
}

test('an event that this Looper does not know', async () => {
  const file = future()
  const before = readFileSync(file)
  const seq = before.toString().trimEnd().split('\n').length
  const line = `Event ${seq} (memory.kept) is an event that this Looper does not know: install Looper 7.0.0 or newer to read this run`
  const commands = [
    ['status'],
    ['tail'],
    ['tail', '--json'],
    ['logs'],
    ['replay'],
    ['report'],
    ['fork', '--at', '3'],
    ['resume'],
    ['limit', '--turns', '9'],
    ['stop'],
    ['discard'],
  ]
  for (const [name = '', ...options] of commands) {
    const { code, stderr } = await project.looper(name, run, ...options)
    expect({ name, code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`looper: ${line}\n`) })
  }
  expect((await project.looper('runs')).stdout).toContain('memory.kept')
  const doctor = await project.looper('doctor', '--repair')
  expect(doctor.stdout).toContain(line)
  expect(readFileSync(file)).toEqual(before)
})

/** D8: what agents said and did can be read while they work and afterwards, as text and as lines of JSON. */
import { appendFileSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { LogEvent } from '../../src/model/log.ts'
import { cooperative, createProject, type Project } from '../kit/project.ts'
import { follow, go, held, noting, removeAll, until } from '../kit/live.ts'

const talking = `${noting}
say({ type: 'message', text: role + ' begins' })
if (role === 'coder') {
  say({ type: 'tool_use', name: 'write', input: { path: task + '.txt' } })
  say({ type: 'command', command: 'echo ' + env.MY_TOKEN, exitCode: 0 })
  if (task === 'T001') await hold('coder')
  say({ type: 'message', text: 'about to end' })
}
${cooperative}`

let project: Project
afterEach(() => removeAll(project))

const parsed = (text: string): LogEvent[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogEvent)

describe('D8: the log of a real run', () => {
  test('is followed while agents work, ends with the run, and is the same afterwards', async () => {
    project = createProject({ agent: talking, config: { review: false, secrets: ['MY_TOKEN'] } })
    const config = JSON.parse(project.read('.looper/config.json')) as {
      agents: { test: { env: Record<string, string> } }
    }
    project.configure({
      ...config,
      agents: { test: { ...config.agents.test, env: { ...config.agents.test.env, MY_TOKEN: 'swordfish-123' } } },
    })
    const looper = follow(project.start('run', 'make two files'))
    await held(project, 'coder')
    const people = follow(project.start('tail', '-f', '-n', '0', '--type', 'message'))
    const programs = follow(project.start('logs', '-f', '--json'))
    const stopped = follow(project.start('logs', '-f', '--task', 'T001'))
    await until('the command of the coder', () => programs.stdout().includes('"type":"command"'))
    await until('the coder for people', () => stopped.stdout().includes('coder begins'))
    expect(stopped.stdout()).toContain('── T001 · coder · test · T001/a1/implement\n')
    stopped.kill('SIGINT')
    expect((await stopped.ended).code).toBe(130)
    go(project, 'coder')
    expect((await looper.ended).code).toBe(0)
    const [spoken, told] = [await people.ended, await programs.ended]
    expect([spoken.code, told.code, spoken.stderr, told.stderr]).toEqual([0, 0, '', ''])
    expect(spoken.stdout).toContain('about to end')
    expect(spoken.stdout).not.toContain('planner begins')

    const live = parsed(told.stdout)
    const after = parsed((await project.looper('logs', '--json')).stdout)
    const untimed = (events: LogEvent[]): string[] =>
      events.map(({ timestamp: _timestamp, ...rest }) => JSON.stringify(rest)).toSorted()
    expect(untimed(live)).toEqual(untimed(after))
    expect(new Set(after.map(({ type }) => type))).toEqual(new Set(['message', 'tool_use', 'command', 'summary']))
    expect(told.stdout + spoken.stdout + JSON.stringify(after)).not.toContain('swordfish')
    expect(after.find(({ type, role }) => type === 'command' && role === 'coder')).toMatchObject({
      command: 'echo [MY_TOKEN]',
      exitCode: 0,
      task: 'T001',
      agent: 'test',
    })
    expect(after.filter(({ type, task }) => type === 'summary' && task === 'T001')).toMatchObject([
      { status: 'done', task_id: 'T001', summary: 'made T001', new_tasks: [] },
    ])
  })

  test('a stream of a gigabyte is read in bounded memory, and from its end where only the end is wanted', async () => {
    project = createProject({ config: { review: false } })
    expect((await project.looper('run', 'make two files')).code).toBe(0)
    const stream = join(project.root, '.looper/runs/last/turns/T001.a1.implement/stream')
    const gigabyte = 1024 ** 3
    const words = `${JSON.stringify({ type: 'message', text: 'many words, again and again' })}\n`.repeat(20_000)
    writeFileSync(stream, words)
    truncateSync(stream, gigabyte)
    appendFileSync(stream, `\n${words}`)
    const meter = join(project.notes, 'meter.cjs')
    writeFileSync(meter, `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)))`)
    const measured = async (...args: string[]): Promise<{ events: LogEvent[]; megabytes: number }> => {
      const { code, stdout, stderr } = await follow(
        project.startThrough(['-r', meter], {}, 'logs', '--json', '--task', 'T001', '--type', 'message', ...args),
      ).ended
      expect(code).toBe(0)
      return { events: parsed(stdout), megabytes: Number(stderr) / 1024 }
    }
    const end = await measured('-n', '3')
    expect(end.events.map((event) => event.type === 'message' && event.content)).toEqual(
      Array.from({ length: 3 }, () => 'many words, again and again'),
    )
    const whole = await measured()
    expect(whole.events).toHaveLength(40_001)
    expect(whole.events[20_000]).toMatchObject({
      content: expect.stringMatching(/^\(a line of \d+ bytes is not shown\)$/) as string,
    })
    expect(Math.max(end.megabytes, whole.megabytes)).toBeLessThan(200)
  })

  test('.looper/runs/last is a link to the newest run, also when many start at once', async () => {
    project = createProject({ config: { review: false } })
    const last = (): string => readlinkSync(join(project.root, '.looper/runs/last'))
    expect((await project.looper('run', 'first goal')).code).toBe(0)
    expect(last()).toBe('001-first-goal')
    await Promise.all(['a', 'b', 'c'].map((name) => project.looper('run', `goal ${name}`)))
    expect(last()).toMatch(/^004-/)
    expect((await project.status()).id).toBe(last())
  })
})

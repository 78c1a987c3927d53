import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project?.remove())

const worker = `
if (purpose === 'iterate') { write(task + '.txt', task); answer({ task_id: task, status: task === 'T2' ? 'skipped' : 'done', summary: 'said of ' + task + '; $(touch pwned) \`id\`' }) }
if (purpose === 'review') answer({ task_id: null, status: 'done', new_tasks: [] })
`
const todo = JSON.stringify({
  schema_version: 1,
  tasks: [
    { id: 'T1', title: 'a', priority: 1, status: 'todo' },
    { id: 'T2', title: 'b', priority: 2, status: 'todo' },
  ],
})
const make = (hooks: Record<string, unknown>, more: Record<string, unknown> = {}, agent = worker): Project => {
  project = createProject({ agent, config: { checks: ['true'], parallel: 1, hooks, ...more } })
  project.write('to-do.json', todo)
  return project
}
const noted = (): string[] => readFileSync(join(project.root, 'noted'), 'utf8').trim().split('\n')

describe('D7: hooks', () => {
  test('postIteration hears of each task: id, status, the file of the last message, and a label', async () => {
    make({
      postIteration: ['f() { echo "$1|$2|$(cat "$3")|$4|$LOOPER_INSIDE|$LOOPER_HOOK_NAME|$LOOPER_HOOK" >> noted; }; f'],
    })
    expect(await project.looper('run')).toMatchObject({ code: 0 })
    expect(noted()).toEqual([
      'T1|done|said of T1; $(touch pwned) `id`|iter-1|1|postIteration|',
      'T2|skipped|said of T2; $(touch pwned) `id`|iter-2|1|postIteration|',
    ])
    expect(existsSync(join(project.root, 'pwned'))).toBe(false)
  })

  test('is over before the next task begins', async () => {
    make(
      { postIteration: ['f() { sleep 0.3; echo "hook $1" >> noted; }; f'] },
      { workspace: { mode: 'in-place' } },
      `if (task) fs.appendFileSync('noted', 'agent ' + task + '\\n')\n${worker}`,
    )
    expect(await project.looper('run')).toMatchObject({ code: 0 })
    expect(noted()).toEqual(['agent T1', 'hook T1', 'agent T2', 'hook T2'])
  })

  test('one that fails or is slow is reported, and stops nothing', async () => {
    make({ postIteration: ['false'], onEnd: ['sleep 60 #'], timeoutSeconds: 1 })
    const ended = await project.looper('run')
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stdout + ended.stderr).toMatch(/the hook postIteration "false" failed \(exit 1\)/)
    expect(ended.stdout + ended.stderr).toMatch(/the hook onEnd "sleep 60 #" took longer than 1 s and was ended/)
  })

  test('onEnd hears how it ended, also when it paused; onQuestion hears the question', async () => {
    make(
      { onEnd: ['f() { echo "end $2 $3" >> noted; }; f'], onQuestion: ['f() { echo "question $1 $2" >> noted; }; f'] },
      {},
      `answer({ task_id: task, status: 'blocked', blockers: ['no key'], questions: [{ text: 'Which key?' }] })`,
    )
    expect(await project.looper('run')).toMatchObject({ code: 3 })
    expect(noted()).toEqual([
      'question Q1 Which key?',
      'question Q2 Which key?',
      expect.stringMatching(/^end paused waiting for answers to 2 questions/),
    ])
  })
})

test('D7: desktop and webhook are notified of the end; their failure is reported and stops nothing', async () => {
  const bodies: unknown[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      bodies.push(JSON.parse(text))
      response.writeHead(bodies.length === 1 ? 200 : 500).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`
    make({}, { notify: { desktop: true, webhook, on: ['end'] } })
    const desktop = join(project.notes, 'desktop')
    writeFileSync(join(project.notes, 'notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${desktop}'\n`, {
      mode: 0o755,
    })
    const first = await project.looperThrough(['env', `PATH=${project.notes}:${process.env['PATH']}`], 'run')
    expect(first).toMatchObject({ code: 0 })
    expect(bodies).toMatchObject([{ run: '001-backlog', occasion: 'end', title: '001-backlog completed' }])
    expect(readFileSync(desktop, 'utf8')).toBe(
      '--app-name=looper\n--\n001-backlog completed\nWork through to-do.json\n',
    )
    expect(first.stdout + first.stderr).not.toContain('could not be')
    rmSync(join(project.notes, 'notify-send'))
    const second = await project.looperThrough(['env', `PATH=${project.notes}:${process.env['PATH']}`], 'run')
    expect(second).toMatchObject({ code: 0 })
    expect(second.stdout + second.stderr).toContain('the desktop could not be notified: ')
    expect(second.stdout + second.stderr).toContain('the webhook could not be called: it answered 500')
    expect(JSON.stringify(project.events())).not.toContain('secret-path')
  } finally {
    server.close()
  }
})

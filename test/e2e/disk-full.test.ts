import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, rmdirSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  branch,
  completes,
  expected,
  expectTwoLines,
  inRun,
  openProject,
  project,
  quick,
  undo,
  useBrokenDisk,
} from '../kit/broken-disk.ts'
import { eventsSoFar, follow, go, held, landed, noting, starts, survivors, treeOf, until } from '../kit/live.ts'
import { cooperative } from '../kit/project.ts'

useBrokenDisk()

/** Its first coder has answered at length, and is over only when the test says so. */
const talkative = `${noting}
if (task === 'T001' && !may('coder')) {
  write('T001.txt', 'made by T001\\n'); answer({ status: 'complete', summary: 'x'.repeat(20000) }); await hold('coder')
} else { ${cooperative} }`

/** Its plan takes some room. */
const verbose = (length: number): string => `${noting}
const description = 'x'.repeat(${length})
const tasks = [{ id: 'T001', title: 'one', description }, { id: 'T002', title: 'two', description, dependsOn: ['T001'] }]
if (role === 'planner') answer({ status: 'plan', tasks })
else { ${cooperative} }`

describe('the disk is full', () => {
  /** A small disk of its own where mounting is permitted. */
  function mountSmall(path: string, kilobytes: number): boolean {
    mkdirSync(path, { recursive: true })
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'looper-test', path], { stdio: 'ignore' })
    } catch {
      return false
    }
    undo.push(() => execFileSync('umount', ['--lazy', path]))
    return true
  }
  const probe = mkdtempSync(join(tmpdir(), 'looper-mount-'))
  const mountable = mountSmall(probe, 64)
  for (const step of undo.splice(0)) step()
  rmdirSync(probe)

  const ballast = (): string => join(project.root, '.looper/runs/ballast')
  const fill = (): void => {
    for (const size of [1 << 20, 1 << 12])
      for (let room = true; room;) {
        try {
          appendFileSync(ballast(), Buffer.alloc(size))
        } catch {
          room = false
        }
      }
  }

  const disks = mountable ? ['a small disk'] : []

  test.each(disks)(
    '%s: what was durable stays, the run stops with exit 3, and goes on when there is room',
    async () => {
      openProject({ agent: talkative, config: quick })
      mountSmall(join(project.root, '.looper/runs'), 2048)
      const looper = follow(project.start('run', 'make two files'))
      await held(project, 'coder')
      const before = eventsSoFar(project)
      fill()
      go(project, 'coder')
      expectTwoLines(
        await looper.ended,
        3,
        /events\.jsonl: no space left on the disk/,
        /Free some space, then (?:run )?`looper resume \d+`/,
      )
      expect(eventsSoFar(project).slice(0, before.length)).toEqual(before)
      expect(survivors(project)).toEqual([])
      expect(await project.status()).toMatchObject({
        status: 'crashed',
        tasks: [{ status: 'doing' }, { status: 'todo' }],
      })
      expectTwoLines(await project.looper('resume'), 3, /no space left on the disk/, /Free some space/)
      expect(survivors(project)).toEqual([])

      rmSync(ballast())
      await completes()
      expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
      expect(await project.status()).toMatchObject({ status: 'completed', tasks: [{ attempts: 1 }, { attempts: 1 }] })
    },
  )

  test.each(disks)(
    '%s, from the beginning: exit 3 before anything has begun, and a new run when there is room',
    async () => {
      openProject({ config: quick })
      mountSmall(join(project.root, '.looper/runs'), 1024)
      fill()
      expectTwoLines(
        await project.looper('run', 'make two files'),
        3,
        /no space left on the disk/,
        /then start the run again/,
      )
      rmSync(ballast())
      expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
      expect((await project.status()).status).toBe('completed')
    },
  )

  test.each(disks)('%s, when the end is all that is left to write: the run has ended, and says so', async () => {
    openProject({ agent: verbose(90_000) })
    mountSmall(join(project.root, '.looper/runs'), 4096)
    const marker = join(project.notes, 'full')
    const last = `test ! -e T002.txt || { : > '${marker}'; until test -e '${marker}.go'; do sleep 0.02; done; }`
    project.configure({ ...quick, checks: [last] })
    const looper = follow(project.start('run', 'make two files'))
    await until('the last check', () => existsSync(marker))
    // Room for the rest of the journal, none for the plan and the snapshot.
    fill()
    truncateSync(ballast(), statSync(ballast()).size - (64 << 10))
    go(project, 'full')
    expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'completed' })
    expect(treeOf(project, branch)).toBe(expected)
    expect(existsSync(inRun('state.json'))).toBe(false)
  })

  test.each(disks)('%s for worktrees: the run pauses and says so, and goes on when there is room', async () => {
    openProject({ agent: `${noting}${cooperative}`, config: quick, files: { 'big.txt': 'x'.repeat(100_000) } })
    mountSmall(project.workspaces, 32)
    const refused = /unable to write|no space left/i
    expect(await project.looper('run', 'make two files')).toMatchObject({
      code: 3,
      stderr: '',
      stdout: expect.stringMatching(refused),
    })
    const detail = expect.stringMatching(
      `No space left on the disk of ${project.workspaces}.*(unable to write|no space left)`,
    )
    const pause = { kind: 'setup', detail, hint: 'Free some space there, then: looper resume' }
    expect(await project.status()).toMatchObject({ status: 'paused', pause })
    for (const step of undo.splice(0)) step()
    expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
    expect(landed(project, branch)).toEqual(['T001', 'T002'])
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  })

  test.each(disks)('%s for set-up: the run pauses, names the folder, and goes on when there is room', async () => {
    const line = 'head -c 3000000 /dev/zero > big.bin || { echo "ENOSPC: write big.bin" >&2; exit 1; }'
    openProject({ agent: `${noting}${cooperative}`, config: { ...quick, workspace: { setup: [line] } } })
    mountSmall(project.workspaces, 1024)
    const ended = await project.looper('run', 'make two files')
    const line1 = `No space left on the disk of ${project.workspaces}`
    expect(ended).toMatchObject({ code: 3, stderr: '', stdout: expect.stringContaining(line1) })
    expect(ended.stdout).toContain('Free some space there')
    expect(await project.status()).toMatchObject({
      status: 'paused',
      pause: { detail: expect.stringContaining(line1) },
    })
    for (const step of undo.splice(0)) step()
    expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
    expect(landed(project, branch)).toEqual(['T001', 'T002'])
  })

  test('a file may not grow any more: the same', async () => {
    openProject({ agent: verbose(9_000), config: quick })
    const ended = await project.looperThrough(['sh', '-c', 'ulimit -f 64; exec "$@"', 'sh'], 'run', 'make two files')
    expectTwoLines(ended, 3, /events\.jsonl: .*(too large|EFBIG)/i, /then (?:run )?`looper resume \d+`/)
    expect(survivors(project)).toEqual([])
    expect(await project.status()).toMatchObject({ status: 'crashed' })
    await completes()
    expect(starts(project).length).toBe(new Set(starts(project)).size)
  })
})

/**
 * Disks fill up, turn read-only and lose bytes; people delete scratch folders and move on: one clear line, and no work
 * lost.
 */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cooperative, createProject, type Ended, type Project } from '../kit/project.ts'
import {
  eventsSoFar,
  follow,
  go,
  held,
  killHard,
  landed,
  notes,
  noting,
  removeAll,
  starts,
  survivors,
  treeOf,
  until,
} from '../kit/live.ts'

const run = '001-make-two-files'
const branch = `looper/${run}`
const quick = { review: false, checks: ['true'] }

let project: Project
let expected = ''

beforeAll(async () => {
  const undisturbed = createProject({ config: quick })
  expect(await undisturbed.looper('run', 'make two files')).toMatchObject({ code: 0 })
  expected = treeOf(undisturbed, branch)
  undisturbed.remove()
})

const undo: (() => void)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) step()
  await removeAll(project)
})

const inRun = (...names: string[]): string => join(project.root, '.looper/runs', run, ...names)

async function completes(): Promise<void> {
  expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
  expect(treeOf(project, branch)).toBe(expected)
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
  expect(survivors(project)).toEqual([])
}

/** What went wrong, what to do, and nothing else. */
function expectTwoLines({ code, stderr }: Ended, exit: number, what: RegExp, hint: RegExp): void {
  expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringMatching(/^looper: [^\n]+\n {2}[^\n]+\n$/) })
  const [first, second] = stderr.split('\n')
  expect(first).toMatch(what)
  expect(second).toMatch(hint)
}

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
      project = createProject({ agent: talkative, config: quick })
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
      project = createProject({ config: quick })
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
    project = createProject({ agent: verbose(90_000) })
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
    project = createProject({
      agent: `${noting}${cooperative}`,
      config: quick,
      files: { 'big.txt': 'x'.repeat(100_000) },
    })
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
    project = createProject({ agent: `${noting}${cooperative}`, config: { ...quick, workspace: { setup: [line] } } })
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
    project = createProject({ agent: verbose(9_000), config: quick })
    const ended = await project.looperThrough(['sh', '-c', 'ulimit -f 64; exec "$@"', 'sh'], 'run', 'make two files')
    expectTwoLines(ended, 3, /events\.jsonl: .*(too large|EFBIG)/i, /then (?:run )?`looper resume \d+`/)
    expect(survivors(project)).toEqual([])
    expect(await project.status()).toMatchObject({ status: 'crashed' })
    await completes()
    expect(starts(project).length).toBe(new Set(starts(project)).size)
  })
})

describe('.looper is read-only', () => {
  /** Root may write everywhere, unless that right is taken away. */
  const isRoot = process.getuid?.() === 0
  const meek: [string, ...string[]] = isRoot
    ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search']
    : [process.execPath]
  const looper = (...args: string[]): Promise<Ended> => project.looperThrough(meek, ...args)

  function lock(...folders: string[]): () => void {
    const paths = folders.map((folder) => join(project.root, folder))
    const unlock = (): void => {
      for (const path of paths) if (existsSync(path)) chmodSync(path, 0o755)
    }
    for (const path of paths.toReversed()) chmodSync(path, 0o555)
    undo.push(unlock)
    return unlock
  }

  test('before the first run: exit 2', async () => {
    project = createProject({ config: quick })
    const unlock = lock('.looper')
    expectTwoLines(
      await looper('run', 'make two files'),
      2,
      /\.looper.*permission denied/,
      /Looper keeps its files in \.looper/,
    )
    expect(readdirSync(join(project.root, '.looper'))).toEqual(['config.json'])
    unlock()
    expect(await looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
  })

  test('on resume: exit 2, the run can still be read, and a later resume continues it', async () => {
    project = createProject({
      agent: `${noting} if (role === 'planner') await hold('planner')\n${cooperative}`,
      config: quick,
    })
    const first = follow(project.start('run', 'make two files'))
    await held(project, 'planner')
    first.kill('SIGINT')
    expect(await first.ended).toMatchObject({ code: 130 })
    const file = inRun('events.jsonl')
    chmodSync(file, 0o444)
    const unlock = lock('.looper', '.looper/runs', `.looper/runs/${run}`)
    expectTwoLines(await looper('resume'), 2, /permission denied/, /Looper keeps its files in \.looper/)
    expectTwoLines(await looper('task', 'add', 'x'), 2, /permission denied/, /Looper keeps its files in \.looper/)
    expect(await looper('status')).toMatchObject({ code: 0, stderr: '' })
    unlock()
    chmodSync(file, 0o644)
    go(project, 'planner')
    await completes()
  })
})

describe('the journal', () => {
  async function crashedAtT002(): Promise<void> {
    project = createProject({
      agent: `${noting} if (task === 'T002') await hold('coder')\n${cooperative}`,
      config: quick,
    })
    const looper = follow(project.start('run', 'make two files'))
    await held(project, 'coder')
    await killHard(looper)
    go(project, 'coder')
  }
  const lines = (): string[] => readFileSync(inRun('events.jsonl'), 'utf8').trimEnd().split('\n')
  const replaceLine = (seq: number, change: (line: string) => string): void =>
    writeFileSync(
      inRun('events.jsonl'),
      lines()
        .map((line, index) => (index === seq - 1 ? change(line) : line))
        .join('\n') + '\n',
    )
  const lineOf = (predicate: (line: string) => boolean): number => lines().findIndex(predicate) + 1

  test.each<[string, (line: string) => string]>([
    ['a flipped letter', (line) => line.replace('"at":"2', '"at":"3')],
    ['a line that is gone', () => ''],
    ['half a line', (line) => line.slice(0, 20)],
    ['binary rubbish', () => '\u0000\uFFFD\u0001'],
  ])(
    '%s in the middle: refused with its number, repaired without deleting anything, then completed',
    async (_, change) => {
      await crashedAtT002()
      const damaged = lineOf((line) => line.includes('"id":"T002/a1/implement"'))
      expect(damaged).toBeGreaterThan(20)
      replaceLine(damaged - 1, change)
      const before = readFileSync(inRun('events.jsonl'))
      for (const words of [['status'], ['resume'], ['task', 'skip', 'T002'], ['report'], ['tail']]) {
        expectTwoLines(
          await project.looper(...words),
          1,
          new RegExp(`damaged at event ${damaged - 1}\\b`),
          /looper doctor --repair/,
        )
      }
      expect(readFileSync(inRun('events.jsonl'))).toEqual(before)
      expect(await project.looper('runs')).toMatchObject({ code: 0, stdout: expect.stringContaining(run) })
      expect(await project.looper('doctor')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(`event ${damaged - 1}`),
      })
      const repaired = await project.looper('doctor', '--repair')
      expect(repaired).toMatchObject({ code: 0, stdout: expect.stringContaining('events.damaged-1.jsonl'), stderr: '' })
      expect(
        Buffer.concat([readFileSync(inRun('events.jsonl')), readFileSync(inRun('events.damaged-1.jsonl'))]),
      ).toEqual(before)
      expect(await project.looper('doctor')).toMatchObject({ code: 0 })
      await completes()
    },
  )

  test('damaged before work that has landed since: after the repair that work is neither lost nor in the way', async () => {
    await crashedAtT002()
    const damaged = lineOf((line) => line.includes('"task.started","task":"T001"'))
    replaceLine(damaged, (line) => line.replace('"wave":1', '"wave":9'))
    expectTwoLines(
      await project.looper('status'),
      1,
      new RegExp(`damaged at event ${damaged}\\b`),
      /looper doctor --repair/,
    )
    expect(await project.looper('doctor', '--repair')).toMatchObject({ code: 0 })
    await completes()
  })

  test('of a paused run, damaged in the part that its snapshot covers: refused all the same', async () => {
    project = createProject({
      agent: `${noting} if (task === 'T002') await hold('coder')\n${cooperative}`,
      config: quick,
    })
    const looper = follow(project.start('run', 'make two files'))
    await held(project, 'coder')
    looper.kill('SIGINT')
    await looper.ended
    expect(existsSync(inRun('state.json'))).toBe(true)
    const damaged = lineOf((line) => line.includes('"stop.requested"'))
    replaceLine(damaged, (line) => line.replace('"how":"stop"', '"how":"stap"'))
    for (const words of [['status'], ['resume']]) {
      expectTwoLines(
        await project.looper(...words),
        1,
        new RegExp(`damaged at event ${damaged}\\b`),
        /looper doctor --repair/,
      )
    }
    expect(await project.looper('doctor', '--repair')).toMatchObject({ code: 0 })
    go(project, 'coder')
    await completes()
  })

  test.each<[string, string[], 'stdout' | 'stderr']>([
    ['people', [], 'stdout'],
    ['programs', ['--json'], 'stderr'],
    ['those who want it quiet', ['--quiet'], 'stderr'],
  ])('with a torn end: cut, told once to %s, and gone on', async (_, flags, stream) => {
    await crashedAtT002()
    appendFileSync(inRun('events.jsonl'), '{"seq":99,"at":"2026-01-01T00:00:00.000Z","type":"work.fini')
    expect(await project.status()).toMatchObject({ status: 'crashed' })
    const resumed = await project.looper('resume', ...flags)
    const line = "the journal's last 59 bytes were torn by a crash and have been cut\n"
    expect(resumed.code).toBe(0)
    expect(resumed[stream].split(line)).toHaveLength(2)
    if (stream === 'stderr') expect(resumed.stderr).toBe(line)
    if (flags.includes('--json'))
      for (const each of resumed.stdout.trimEnd().split('\n')) expect(JSON.parse(each)).toHaveProperty('seq')
    expect(treeOf(project, branch)).toBe(expected)
    expect(landed(project, branch)).toEqual(['T001', 'T002'])
    expect(survivors(project)).toEqual([])
    expect(lines().every((line) => line.endsWith('}'))).toBe(true)
    expect(eventsSoFar(project).map(({ seq }) => seq)).toEqual(lines().map((_, index) => index + 1))
  })

  test('an invalid or missing snapshot has no effect', async () => {
    await crashedAtT002()
    writeFileSync(inRun('state.json'), '{"seq":')
    expect(await project.status()).toMatchObject({ status: 'crashed' })
    await completes()
    rmSync(inRun('state.json'))
    expect(await project.status()).toMatchObject({ status: 'completed' })
  })
})

describe('meanwhile', () => {
  const steps = ['implement', 'check', 'test'] as const

  test.each(steps)(
    'the folder of workspaces is deleted while the run is paused during its %s: it completes',
    async (step) => {
      project = createProject({
        agent: `${noting}
if (task === 'T001' && '${step}' === (role === 'tester' ? 'test' : 'implement')) await hold('on')
${cooperative}`,
      })
      const waits = `echo on >> '${project.notes}/held'; until test -e '${project.notes}/on.go'; do sleep 0.02; done`
      project.configure({
        ...quick,
        review: step === 'test',
        checks: [step === 'check' ? waits : 'true'],
        baseline: 'off',
      })
      const looper = follow(project.start('run', 'make two files'))
      await held(project, 'on')
      looper.kill('SIGINT')
      expect(await looper.ended).toMatchObject({ code: 130 })
      rmSync(project.workspaces, { recursive: true })
      go(project, 'on')
      await completes()
      const once = { status: 'done', attempts: 1, fixCycles: 0 }
      expect(await project.status()).toMatchObject({ status: 'completed', tasks: [once, once] })
      expect(starts(project).filter((turn) => turn === 'T001/a1/implement')).toHaveLength(step === 'implement' ? 2 : 1)
    },
  )

  test('the folder of workspaces is deleted after `looper pause`, which let the turn end: it completes', async () => {
    project = createProject({
      agent: `${noting} if (task === 'T001' && attempt === 1) await hold('coder')\n${cooperative}`,
      config: quick,
    })
    const looper = follow(project.start('run', 'make two files'))
    await held(project, 'coder')
    expect(await project.looper('pause')).toMatchObject({ code: 0 })
    await until('the request', () => eventsSoFar(project).some(({ type }) => type === 'stop.requested'))
    go(project, 'coder')
    expect(await looper.ended).toMatchObject({ code: 130 })
    rmSync(project.workspaces, { recursive: true })
    await completes()
  })

  const deaf = `if (task === 'T001' && !may('on')) { await hold('on'); answer({ status: 'complete' }) } else { ${cooperative} }`
  const holding = (step: string): string => `
if (task === 'T001' && '${step}' === (role === 'tester' ? 'test' : 'implement')) await hold('on')
${cooperative}`

  test.each([
    ['a coder, who fails', 'implement', holding('implement')],
    ['a coder, who says that all is well', 'implement', deaf],
    ['a check', 'check', holding('check')],
    ['a tester', 'test', holding('test')],
  ])(
    'the folder of workspaces is deleted under %s: what was lost is done again, and it completes',
    async (_, step, agent) => {
      project = createProject({ agent: `${noting}${agent}` })
      const waits = `echo on >> '${project.notes}/held'; until test -e '${project.notes}/on.go'; do sleep 0.02; done; test -e README.md`
      project.configure({
        ...quick,
        review: step === 'test',
        checks: [step === 'check' ? waits : 'true'],
        baseline: 'off',
      })
      const looper = follow(project.start('run', 'make two files'))
      await held(project, 'on')
      rmSync(project.workspaces, { recursive: true })
      go(project, 'on')
      expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
      expect(treeOf(project, branch)).toBe(expected)
      expect(landed(project, branch)).toEqual(['T001', 'T002'])
      expect(survivors(project)).toEqual([])
      expect(await project.status()).toMatchObject({
        status: 'completed',
        tasks: [{ status: 'done' }, { status: 'done', attempts: 1 }],
      })
      expect(readdirSync(project.workspaces)).toEqual([])
    },
  )

  test('the user commits, switches branches and leaves work lying about: neither disturbs the other', async () => {
    project = createProject({
      agent: `${noting} if (role === 'coder') await hold(task)\n${cooperative}`,
      config: quick,
    })
    const looper = follow(project.start('run', 'make two files'))
    await held(project, 'T001')
    project.write('README.md', '# changed by the user\n')
    project.git('commit', '-qam', 'mine')
    project.git('switch', '-qc', 'elsewhere')
    project.write('mine.txt', 'committed\n')
    project.git('add', 'mine.txt')
    project.git('commit', '-qm', 'mine too')
    project.write('staged.txt', 'staged\n')
    project.git('add', 'staged.txt')
    project.write('loose.txt', 'loose\n')
    project.write('mine.txt', 'changed\n')
    const looks = [
      ['status', '--porcelain'],
      ['rev-parse', 'HEAD', 'main'],
      ['symbolic-ref', 'HEAD'],
      ['stash', 'list'],
    ]
    const mine = (): string[] => looks.map((args) => project.git(...args))
    const before = mine()
    go(project, 'T001')
    await held(project, 'T002')
    await killHard(looper)
    project.git('branch', '-D', 'main', '-q')
    project.git('branch', 'main', 'elsewhere~1')
    go(project, 'T002')
    expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
    expect(mine()).toEqual(before)
    expect(treeOf(project, branch)).toBe(expected)
    expect(project.read('mine.txt')).toBe('changed\n')
    expect(notes(project, 'starts')).toHaveLength(3)
  })
})

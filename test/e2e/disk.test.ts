/**
 * Disks fill up, turn read-only and lose bytes; people delete scratch folders and move on: one clear line, and no work
 * lost.
 */
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
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
  run,
  undo,
  useBrokenDisk,
} from '../kit/broken-disk.ts'
import {
  eventsSoFar,
  follow,
  go,
  held,
  killHard,
  landed,
  notes,
  noting,
  starts,
  survivors,
  treeOf,
  until,
} from '../kit/live.ts'
import { cooperative, type Ended } from '../kit/project.ts'

useBrokenDisk()

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
    openProject({ config: quick })
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
    openProject({ agent: `${noting} if (role === 'planner') await hold('planner')\n${cooperative}`, config: quick })
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

describe('meanwhile', () => {
  const steps = ['implement', 'check', 'test'] as const

  test.each(steps)(
    'the folder of workspaces is deleted while the run is paused during its %s: it completes',
    async (step) => {
      openProject({
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
    openProject({
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
      openProject({ agent: `${noting}${agent}` })
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
    openProject({ agent: `${noting} if (role === 'coder') await hold(task)\n${cooperative}`, config: quick })
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

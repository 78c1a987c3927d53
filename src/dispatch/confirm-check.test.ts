import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { judgeCheck } from '../core/policies/checks.ts'
import type { CheckOutcome } from '../model/work.ts'
import { passed } from '../../test/kit/dispatch.ts'
import { makeRepository } from '../../test/kit/repository.ts'
import { changeSecretly, checkOf, makeVerification } from '../../test/kit/verification.ts'
import { createConfirmCheck } from './confirm-check.ts'

type Run = (cwd: string, time: number) => CheckOutcome | void

/** Checks of one repository with real workspaces; `run` replaces the command and everything that happens meanwhile. */
function confirming(run: Run) {
  const repository = makeRepository({ 'lib/a.txt': 'a\n', 'lib/b.txt': 'b\n', '.gitignore': 'made\n' })
  const verifying = makeVerification(repository, { setup: ['echo made > made'] })
  const confirm = createConfirmCheck(verifying)
  const runs: string[] = []
  const runIn = async (cwd: string): Promise<CheckOutcome> => {
    runs.push(cwd)
    return run(cwd, runs.length) ?? passed
  }
  const check = async (id = 'T001/a1/check0/test'): Promise<CheckOutcome> => {
    const work = checkOf(repository.git('rev-parse', 'HEAD'), null, id)
    const { path } = await verifying.verification(work)
    try {
      return await confirm(work, await runIn(path), runIn)
    } finally {
      verifying.verified(id)
    }
  }
  return { check, runs, folder: verifying.folder }
}

const red: CheckOutcome = { ...passed, exitCode: 1 }
const write =
  (name: string, text = 'changed\n'): Run =>
  (cwd) =>
    writeFileSync(join(cwd, name), text)

/** Every workspace of the pool. */
const workspacesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !name.endsWith('.index'))
    .flatMap((name) => readdirSync(join(folder, name)).map((inner) => join(folder, name, inner)))

test('a check that leaves the tree alone runs once, whatever it writes beside it', async () => {
  const { check, runs } = confirming(write('report.txt'))
  expect([await check(), runs.length]).toEqual([passed, 1])
})

test('a check that writes to the tree itself counts; that it does is found out once', async () => {
  const { check, runs } = confirming((cwd, time) => writeFileSync(join(cwd, 'lib/a.txt'), `at ${time}\n`))
  expect([await check('one'), runs.length]).toEqual([passed, 2])
  expect([await check('two'), runs.length]).toEqual([passed, 3])
  expect([await check('three'), runs.length]).toEqual([passed, 4])
})

test('another file than those makes it run twice again', async () => {
  const { check, runs } = confirming((cwd, time) => writeFileSync(join(cwd, time < 3 ? 'lib/a.txt' : 'lib/b.txt'), ''))
  await check('one')
  expect([await check('two'), runs.length]).toEqual([passed, 4])
})

test('a file that also changes where no check runs was changed by another process', async () => {
  const { check, folder } = confirming(() => {
    for (const path of workspacesIn(folder).filter((each) => existsSync(join(each, 'lib')))) {
      writeFileSync(join(path, 'lib/a.txt'), 'right\n')
    }
  })
  const outcome = await check()
  expect(outcome).toEqual({ ...passed, altered: ['lib/a.txt'] })
  const note = '`lib/a.txt` changed while the check ran'
  expect(judgeCheck(outcome, false)).toEqual({ passed: false, usable: true, note })
})

test('so was one that changes only the second time', async () => {
  const { check } = confirming((cwd, time) => writeFileSync(join(cwd, time === 1 ? 'lib/a.txt' : 'lib/b.txt'), ''))
  expect(await check()).toEqual({ ...passed, altered: ['lib/b.txt'] })
})

test('without the change it is red', async () => {
  const { check } = confirming((cwd, time) => (time === 1 ? write('lib/a.txt')(cwd, time) : red))
  expect(await check()).toEqual(red)
})

test('without the change it is green as well', async () => {
  const { check, runs } = confirming((cwd, time) => (time === 1 ? write('lib/a.txt')(cwd, time) : undefined))
  expect([await check(), runs.length]).toEqual([passed, 2])
})

test('a red check is not run again', async () => {
  const { check, runs } = confirming((cwd, time) => {
    write('lib/a.txt')(cwd, time)
    return red
  })
  expect([await check(), runs.length]).toEqual([red, 1])
})

test.each<[string, Run]>([
  [
    'is written and put back, times included',
    (cwd) => {
      changeSecretly(join(cwd, 'lib/a.txt'), 'x\n')
      changeSecretly(join(cwd, 'lib/a.txt'), 'a\n')
    },
  ],
  ['is removed', (cwd) => rmSync(join(cwd, 'lib/a.txt'))],
  [
    'is hidden by a file in the place of its folder',
    (cwd) => {
      rmSync(join(cwd, 'lib'), { recursive: true })
      writeFileSync(join(cwd, 'lib'), '')
    },
  ],
])('a file that %s has changed', async (_name, run) => {
  const { check, runs } = confirming((cwd, time) => (time === 1 ? run(cwd, time) : red))
  expect([await check(), runs.length]).toEqual([red, 2])
})

test('the second workspace is new, set up, and at a path that cannot be guessed; both go afterwards', async () => {
  const seen: boolean[] = []
  const { check, runs, folder } = confirming((cwd, time) => {
    seen.push(existsSync(join(cwd, 'made')))
    write('lib/a.txt')(cwd, time)
  })
  await check()
  expect(seen).toEqual([true, true])
  expect(runs.map((path) => basename(dirname(path)))).toEqual(['v1', expect.stringMatching(/^v[0-9a-f]{18}$/)])
  await check('next')
  await expect.poll(() => workspacesIn(folder).length, { timeout: 120_000 }).toBe(1)
})

/**
 * The journal's disk breaks or fills up at any append: one clear line, exit 3, nothing that was told is lost, and the
 * run can be gone on with.
 */
import { afterEach, expect, test } from 'vitest'
import { startWith, type Faults } from '../kit/faults.ts'
import { eventsSoFar, follow, removeAll, starts, survivors } from '../kit/live.ts'
import type { Ended, Project } from '../kit/project.ts'
import { goal, isDense, smallProject, wrong } from './small-run.ts'

let project: Project
afterEach(() => removeAll(project))

type Fail = NonNullable<Faults['fail']>
const words = { EIO: /events\.jsonl: .*EIO/, ENOSPC: /events\.jsonl: no space left on the disk/ }

/** Once, or for good: then what was half written cannot be taken back either. */
type Kind = readonly ['write' | 'datasync', Fail['code'], 'once' | 'for good']
const kinds: Kind[] = [
  ['write', 'EIO', 'once'],
  ['datasync', 'EIO', 'for good'],
  ['write', 'ENOSPC', 'for good'],
  ['datasync', 'ENOSPC', 'once'],
]

function failAt(append: number, [call, code, how]: Kind): Fail {
  // Opening the journal syncs it once.
  const from = call === 'write' ? append : append + 1
  const file = 'events.jsonl'
  return how === 'once'
    ? { file, calls: [call], code, from, times: 1 }
    : { file, calls: [call, 'truncate'], code, from, times: 1e9 }
}

const runWith = (fail: Fail): Promise<Ended> => follow(startWith(project, { fail }, 'run', goal, '--json')).ended

/** One line of what, one line of what to do. */
function expectRefusal({ code, stderr }: Ended, { code: errno }: Fail, hint: RegExp): void {
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/^looper: [^\n]+\n {2}[^\n]+\n$/) })
  expect(stderr).toMatch(words[errno])
  expect(stderr).toMatch(hint)
}

test.each(kinds)('the first %s: %s %s: nothing has begun', async (...kind) => {
  project = smallProject()
  const fail = failAt(1, kind)
  const ended = await runWith(fail)
  // What was written whole, could not be synced and not be taken back either is there: then the hint is to go on.
  const isKept = eventsSoFar(project).length > 0
  expect(isKept).toBe(kind[0] === 'datasync' && kind[2] === 'for good')
  expectRefusal(ended, fail, isKept ? /then (?:run )?`looper resume \d+`/ : /start the run again/)
  expect(starts(project)).toEqual([])
  expect(survivors(project)).toEqual([])
  expect(await project.looper(...(isKept ? ['resume'] : ['run', goal]))).toMatchObject({ code: 0, stderr: '' })
  expect(await wrong(project)).toEqual([])
})

test(
  `every ${isDense ? '' : 'fifth '}later append, by turns its write or its sync, EIO or ENOSPC, once or for good`,
  { timeout: 600_000 },
  async () => {
    // An odd stride, so that each kind has its turn.
    for (let append = 2; ; append += isDense ? 1 : 5) {
      const kind = kinds[append % kinds.length]!
      const fail = failAt(append, kind)
      project = smallProject()
      const ended = await runWith(fail)
      if (ended.code === 0) return expect(append).toBeGreaterThan(15)
      expectRefusal(ended, fail, /then (?:run )?`looper resume \d+`/)
      const told = ended.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
      const kept = eventsSoFar(project)
      expect(told.length).toBeGreaterThan(0)
      expect(told).toEqual(kind[2] === 'once' ? kept : kept.slice(0, told.length))
      expect(survivors(project)).toEqual([])
      expect(await project.status()).toMatchObject({ status: 'crashed' })
      expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
      expect({ append, wrong: await wrong(project) }).toEqual({ append, wrong: [] })
      await removeAll(project)
    }
  },
)

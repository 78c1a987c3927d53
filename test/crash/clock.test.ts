/** Clocks are set while a run is under way: it completes, no time is negative, nobody is ended too early, and every wait ends. */
import { describe, expect, test, type TestContext } from 'vitest'
import { startWith, stepsOf, type Faults } from '../kit/faults.ts'
import { eventsSoFar, follow, notes, removeAll } from '../kit/live.ts'
import type { Project } from '../kit/project.ts'
import { goal, smallProject, wrong } from './small-run.ts'

const hour = 3_600_000
type Jumps = NonNullable<Faults['jumps']>

function create({ onTestFinished }: TestContext, meanwhile?: string): Project {
  const project = smallProject({ meanwhile })
  onTestFinished(() => removeAll(project))
  return project
}

async function completes(project: Project, jumps: Jumps): Promise<void> {
  expect(await follow(startWith(project, { jumps }, 'run', goal)).ended).toMatchObject({ code: 0, stderr: '' })
  expect(stepsOf(project).filter((step) => step.includes('the clock is set'))).toHaveLength(jumps.length)
  await expectSoundTimes(project)
}

async function expectSoundTimes(project: Project): Promise<void> {
  const events = eventsSoFar(project)
  const times = events.map(({ at }) => Date.parse(at))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const durations = events.flatMap((event) => (event.type === 'work.finished' && 'durationMs' in event.outcome ? [event.outcome.durationMs] : []))
  // Far more than anything takes here, and far less than the clock was set by.
  expect(durations.filter((ms) => !(ms >= 0 && ms < hour / 2))).toEqual([])
  expect(events.filter(({ type }) => type === 'attempt.failed')).toEqual([])
  expect((await project.status()).elapsedMs).toBeGreaterThanOrEqual(0)
}

const early = { at: 30 }
const turn = { said: '"bootId"' }
const late = { at: 100 }
const untilWrittenDown = 'until test -s "${LOOPER_RESULT_FILE%/*}/process.json"; do sleep 0.02; done'

test.for<[string, Jumps]>([
  ['an hour back', [{ ...early, ms: -hour }]], ['an hour ahead', [{ ...early, ms: hour }]],
  ['an hour back, while an agent works', [{ ...turn, ms: -hour }]], ['an hour ahead, while an agent works', [{ ...turn, ms: hour }]],
  ['an hour back, late', [{ ...late, ms: -hour }]], ['an hour ahead, late', [{ ...late, ms: hour }]],
  ['an hour ahead and back again', [{ ...early, ms: hour }, { ...late, ms: -hour }]],
  ['an hour back and ahead again', [{ ...early, ms: -hour }, { ...late, ms: hour }]],
])('%s', async ([, jumps], context) => {
  const project = create(context, untilWrittenDown)
  await completes(project, jumps)
  expect(await wrong(project)).toEqual([])
})

/** Its journal is an hour ahead of the clock, and its engine is gone. */
async function crashAhead(project: Project, said: string): Promise<void> {
  const faults: Faults = { jumps: [{ at: 20, ms: hour }], kill: { said, when: 'after' } }
  expect((await follow(startWith(project, faults, 'run', goal)).ended).code).toBe(null)
  expect(Date.parse(eventsSoFar(project).at(-1)!.at)).toBeGreaterThan(Date.now() + hour / 2)
}

test('an hour back while nobody carries the run on', async (context) => {
  const project = create(context)
  await crashAhead(project, '"T001/a1/implement"')
  expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
  expect(await wrong(project)).toEqual([])
  await expectSoundTimes(project)
})

describe.concurrent('a wait', () => {
  const says = (error: string): string => `if test "$LOOPER_TURN" = T001/a1/implement; then
  date +%s >> "$NOTES/said"
  echo "{ \\"type\\": \\"error\\", \\"message\\": \\"later\\", ${error} }"
  exit 1
fi
date +%s >> "$NOTES/again"`
  const usedUp = says(`\\"kind\\": \\"usage_limit\\", \\"resetsAt\\": \\"$(date -u -d '+3 seconds' +%FT%TZ)\\"`)
  const overloaded = says('\\"kind\\": \\"overloaded\\"')

  /** It did not begin again at once, and its turn came only once more. */
  function expectPatience(project: Project, seconds: number): void {
    const [said, again] = [notes(project, 'said'), notes(project, 'again')].map((times) => times.map(Number))
    expect(said).toHaveLength(1)
    expect(again).toHaveLength(3)
    expect(again![1]! - said![0]!).toBeGreaterThanOrEqual(seconds)
  }

  test.for([['ahead', hour, 0], ['back', -hour, 1]] as const)('for a usage limit ends when the clock is set %s', async ([, ms, seconds], context) => {
    const project = create(context, usedUp)
    await completes(project, [{ said: '.wait1', ms }])
    expectPatience(project, seconds)
  })

  test('without a known end is not longer because the clock was set back before', async (context) => {
    const project = create(context, overloaded)
    await completes(project, [{ said: '"task.started"', ms: -hour }])
    expectPatience(project, 4)
  })

  test('of a run whose journal is ahead of the clock is not longer either', async (context) => {
    const project = create(context, overloaded)
    await crashAhead(project, '"task.started"')
    expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
    expectPatience(project, 4)
    await expectSoundTimes(project)
  })
})

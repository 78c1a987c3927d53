/**
 * Clocks are set while a run is under way: it completes, no time is negative, no agent is ended too early, and every wait
 * ends.
 */
import { describe, expect, test, type TestContext } from 'vitest'
import { fallAsleep, startWith, stepsOf, type Faults } from '../kit/faults.ts'
import { eventsSoFar, follow, notes, removeAll, until, type Process } from '../kit/live.ts'
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
  const durations = events.flatMap((event) =>
    event.type === 'work.finished' && 'durationMs' in event.outcome ? [event.outcome.durationMs] : [],
  )
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
  ['an hour back', [{ ...early, ms: -hour }]],
  ['an hour ahead', [{ ...early, ms: hour }]],
  ['an hour back, while an agent works', [{ ...turn, ms: -hour }]],
  ['an hour ahead, while an agent works', [{ ...turn, ms: hour }]],
  ['an hour back, late', [{ ...late, ms: -hour }]],
  ['an hour ahead, late', [{ ...late, ms: hour }]],
  [
    'an hour ahead and back again',
    [
      { ...early, ms: hour },
      { ...late, ms: -hour },
    ],
  ],
  [
    'an hour back and ahead again',
    [
      { ...early, ms: -hour },
      { ...late, ms: hour },
    ],
  ],
])('%s', async ([, jumps], context) => {
  const project = create(context, untilWrittenDown)
  await completes(project, jumps)
  expect(await wrong(project)).toEqual([])
})

describe('four hours ahead, with a time limit of two', () => {
  const jump = 4 * hour

  test.for<[string, Jumps]>([
    ['early', [{ ...early, ms: jump }]],
    ['while an agent works', [{ ...turn, ms: jump }]],
    ['late', [{ ...late, ms: jump }]],
    [
      'three times',
      [
        { ...early, ms: jump },
        { ...turn, ms: jump },
        { ...late, ms: jump },
      ],
    ],
  ])('%s: the run completes, and none of it is running time', async ([, jumps], context) => {
    const project = create(context, untilWrittenDown)
    await completes(project, jumps)
    expect(eventsSoFar(project).filter(({ type }) => type === 'clock.jumped')).toHaveLength(jumps.length)
    expect((await project.status()).elapsedMs).toBeLessThan(hour)
    expect(await wrong(project)).toEqual([])
  })

  test('and then killed: the next engine does not meet the limit either', async (context) => {
    const project = create(context)
    await crashAhead(project, '"T001/a1/implement"', jump)
    expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
    expect((await project.status()).elapsedMs).toBeLessThan(hour)
    expect(await wrong(project)).toEqual([])
  })
})

/** Its journal is an hour ahead of the clock, and its engine is gone. */
async function crashAhead(project: Project, said: string, ms = hour): Promise<void> {
  const faults: Faults = { jumps: [{ at: 20, ms }], kill: { said, when: 'after' } }
  expect((await follow(startWith(project, faults, 'run', goal)).ended).code).toBe(null)
  expect(Date.parse(eventsSoFar(project).at(-1)!.at)).toBeGreaterThan(Date.now() + hour / 2)
}

test('an hour back while no engine runs', async (context) => {
  const project = create(context)
  await crashAhead(project, '"T001/a1/implement"')
  expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
  expect(await wrong(project)).toEqual([])
  await expectSoundTimes(project)
})

describe.concurrent('a wait', () => {
  const says = (error: string): string => `if test "$LOOPER_TURN" = T001/a1/implement; then
  echo . >> "$NOTES/said"
  echo "{ \\"type\\": \\"error\\", \\"message\\": \\"later\\", ${error} }"
  exit 1
fi
echo "$LOOPER_TURN" >> "$NOTES/again"`
  const usedUp = says(`\\"kind\\": \\"usage_limit\\", \\"resetsAt\\": \\"$(date -u -d '+20 minutes' +%FT%TZ)\\"`)
  const overloaded = says('\\"kind\\": \\"overloaded\\"')

  /** Long enough for every wait here, and far less than the clock was set by. */
  const sleepMs = hour / 2

  const isWaiting = (project: Project): boolean =>
    eventsSoFar(project).some((event) => event.type === 'work.started' && event.work.id.endsWith('.wait1'))

  /** It did not begin again at once, and its turn came only once more. */
  async function endsInTime(project: Project, looper: Process): Promise<void> {
    await Promise.race([until('a wait', () => isWaiting(project)), looper.ended])
    expect(notes(project, 'again')).toEqual(['plan/r0'])
    fallAsleep(project)
    expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
    expect(notes(project, 'said')).toHaveLength(1)
    expect(notes(project, 'again')).toEqual(['plan/r0', 'T001/a1/implement.again1', 'T002/a1/implement'])
    await expectSoundTimes(project)
  }

  test('for a usage limit ends when the clock is set ahead', async (context) => {
    const project = create(context, usedUp)
    await completes(project, [{ said: '.wait1', ms: hour }])
    expect(notes(project, 'said')).toHaveLength(1)
    expect(notes(project, 'again')).toHaveLength(3)
  })

  test.for<[string, string, string]>([
    ['for a usage limit', usedUp, '.wait1'],
    ['without a known end', overloaded, '.wait1'],
    ['without a known end, begun later', overloaded, '"task.started"'],
  ])('%s is not longer because the clock was set back', async ([, meanwhile, said], context) => {
    const project = create(context, meanwhile)
    await endsInTime(project, follow(startWith(project, { jumps: [{ said, ms: -hour }], sleepMs }, 'run', goal)))
  })

  test('of a run whose journal is ahead of the clock is not longer either', async (context) => {
    const project = create(context, overloaded)
    await crashAhead(project, '"task.started"')
    await endsInTime(project, follow(startWith(project, { sleepMs }, 'resume')))
  })
})

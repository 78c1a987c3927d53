import { describe, expect, test } from 'vitest'
import { receive } from '../../src/core/commands.ts'
import { decide } from '../../src/core/decide.ts'
import { evolve } from '../../src/core/evolve.ts'
import type { Fact } from '../../src/model/event.ts'
import type { Work } from '../../src/model/work.ts'
import { reportMd } from '../../src/views/report/report-md.ts'
import { at, config, file, statusOf, world } from '../kit/permitted-runs.ts'
import { coded, play, type Played, type World } from '../kit/play.ts'

describe("the guard's question", () => {
  /** The coder gives up in its fix, as it is told to. */
  const givesUp: World = (work) =>
    work.kind === 'turn' && work.purpose === 'fix'
      ? coded({ status: 'blocked', blocker: { kind: 'fundamental', reason: 'the test is wrong' } })
      : undefined
  const asked = (): Played => play(config(), world([{ id: 'T001' }], givesUp))
  const answered = (played: Played, answer: string): Played => {
    const received = receive(played.state, { id: '1', do: 'answer', question: 'Q1', answer })
    return played.record('fact' in received ? received.fact : ({} as Fact)).resume()
  }

  test('is asked when the coder cannot do without, and the run waits for it', () => {
    const played = asked()
    expect(played.of('question.asked')).toMatchObject([
      { question: { options: ['allow', 'refuse'], blocks: ['T001'], allows: [`remove-tests:${file}`] } },
    ])
    expect(played.state.pause).toMatchObject({ kind: 'question', detail: expect.stringContaining(file) })
  })

  test.each([['allow'], ['Allow'], ['remove-tests:test/legacy/**']])('%s records the field, and it lands', (answer) => {
    const played = answered(asked(), answer)
    expect(played.of('question.answered')).toMatchObject([{ by: 'person', allows: [expect.stringMatching(/^remove/)] }])
    expect(statusOf(played, 'T001')).toBe('done')
    expect(reportMd(played.state)).toContain('by your answer')
  })

  test.each([['refuse'], ['no'], ['do not allow it'], ['remove-tests:test/new/**']])('%s does not', (answer) => {
    const played = answered(asked(), answer)
    expect(statusOf(played, 'T001')).not.toBe('done')
  })

  const told = (played: Played, answer: string): Played => {
    const received = receive(played.state, { id: '1', do: 'answer', question: 'Q1', answer })
    return played.record('fact' in received ? received.fact : ({} as Fact))
  }
  /** The person refuses when this work is under way for the first time after the permission was given. */
  const refusedDuring = (isNow: (work: Work) => boolean, wanted: string[] = []): Played => {
    const refuses: World = (work, state) => {
      if (state.questions[0]?.granted && isNow(work)) {
        evolve(state, { type: 'question.answered', question: 'Q1', answer: 'refuse', by: 'person', seq: state.seq, at })
        const { facts, work: now } = decide(state)
        wanted.push(...facts.map(({ type }) => type), ...now.map(({ kind }) => kind))
      }
      return givesUp(work, state)
    }
    return told(play(config(), world([{ id: 'T001' }], refuses)), 'allow').resume()
  }

  test('a refusal takes an earlier permission back', () => {
    const played = told(told(asked(), 'allow'), 'refuse').resume()
    expect(played.state.tasks['T001']).not.toHaveProperty('granted')
    expect(statusOf(played, 'T001')).not.toBe('done')
  })

  test('a refusal counts for a change that has not landed yet', () => {
    const played = refusedDuring((work) => work.kind === 'check' && work.tree === 'laid')
    expect(statusOf(played, 'T001')).not.toBe('done')
    expect(played.of('work.finished').some(({ id }) => id.includes('/land'))).toBe(false)
  })

  test('a refusal during the landing comes too late', () => {
    const wanted: string[] = []
    const played = refusedDuring((work) => work.kind === 'integrate' && work.step.kind === 'land', wanted)
    expect(wanted).toContain('integrate')
    expect(wanted).not.toContain('attempt.fixing')
    expect(statusOf(played, 'T001')).toBe('done')
    expect(played.state.tasks['T001']).not.toHaveProperty('granted')
  })

  test('a permission of another question stays', () => {
    const [first, second] = [['remove-tests:a'], ['skip-tests:b']]
    const state = asked().state
    const tell = (fact: Fact): void => void evolve(state, { ...fact, seq: state.seq + 1, at })
    const question = { text: '?', options: [], default: null, blocks: ['T001'] }
    tell({ type: 'question.asked', question: { ...question, id: 'Q8', origin: '#8', allows: first } })
    tell({ type: 'question.asked', question: { ...question, id: 'Q9', origin: '#9', allows: second } })
    tell({ type: 'question.answered', question: 'Q8', answer: 'allow', by: 'person', allows: first })
    tell({ type: 'question.answered', question: 'Q9', answer: 'allow', by: 'person', allows: second })
    expect(state.tasks['T001']?.granted).toEqual([...first, ...second])
    tell({ type: 'question.answered', question: 'Q8', answer: 'refuse', by: 'person' })
    expect(state.tasks['T001']?.granted).toEqual(second)
  })
})

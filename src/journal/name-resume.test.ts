import { expect, test } from 'vitest'
import { raiseAndResume, resumeAfter, resumeLater, resumeNow } from '../model/resume-hint.ts'
import { nameResume } from './name-resume.ts'

const paused = (hint: string, kind = 'setup') => ({
  seq: 3,
  at: '2026-01-01T00:00:00.000Z',
  type: 'run.paused',
  reason: { kind, detail: 'it stopped', hint },
})

test.each([
  resumeNow,
  resumeLater,
  raiseAndResume('--turns <more>'),
  resumeAfter('Log in: run looper resume'),
  resumeAfter('A, then', '--settings'),
  resumeAfter('B: '),
])('a hint of version 3 gets its fields: $hint', ({ hint, resume }) => {
  expect(nameResume(paused(hint))).toEqual({ ...paused(hint), reason: { ...paused(hint).reason, resume } })
})

test.each([
  ['looper resume --cost 50', { fix: null, isLater: false, options: '--cost 50' }],
  ['Raise it: looper resume --cost 50', { fix: null, isLater: false, options: '--cost 50' }],
  ['Fix it, and: looper resume', { fix: 'Fix it', isLater: false, options: '' }],
])('an earlier form: %s', (hint, resume) => {
  expect(nameResume(paused(hint))).toMatchObject({ reason: { hint, resume } })
})

test.each([
  paused('Start again from before that event: looper fork 001-a --at 3'),
  paused(''),
  paused('Answer and go on: looper answer Q1 "<answer>" && looper resume', 'question'),
  { seq: 1, at: '', type: 'run.resumed', reason: { hint: 'Go on: looper resume' } },
])('other lines stay as they are: %j', (line) => {
  expect(nameResume(line)).toBe(line)
})

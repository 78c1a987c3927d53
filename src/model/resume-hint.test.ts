import { expect, test } from 'vitest'
import { answerAndResume, raiseAndResume, resumeAfter, resumeLater, resumeNow } from './resume-hint.ts'

test.each([
  [resumeNow, 'Go on: looper resume', { fix: null, isLater: false, options: '' }],
  [resumeLater, 'Go on later: looper resume', { fix: null, isLater: true, options: '' }],
  [resumeAfter('Fix it'), 'Fix it, then: looper resume', { fix: 'Fix it', isLater: false, options: '' }],
  [
    resumeAfter('Fix the file', '--settings'),
    'Fix the file, then: looper resume --settings',
    { fix: 'Fix the file', isLater: false, options: '--settings' },
  ],
  [
    raiseAndResume('--turns <more>'),
    'Raise it and go on: looper resume --turns <more>',
    { fix: null, isLater: false, options: '--turns <more>' },
  ],
  [answerAndResume('Q1'), 'Answer and go on: looper answer Q1 "<answer>" && looper resume', undefined],
])('%j has the line for people and the fields for readers', ({ hint, resume }, line, fields) => {
  expect(hint).toBe(line)
  expect(resume).toEqual(fields)
})

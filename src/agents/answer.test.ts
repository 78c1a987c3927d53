import { expect, test } from 'vitest'
import { chooseAnswer, type Answers } from './answer.ts'

const none: Answers = { given: null, file: null, words: null }
const missing = 'no JSON object was given as the answer'

test.each<[string, Partial<Answers>, object | null, string | null]>([
  [
    'what was given comes first',
    { given: { n: 1 }, file: '{"n":2}', refused: { n: 3 }, words: '{"n":4}' },
    { n: 1 },
    null,
  ],
  ['then the file', { file: '{"n":2}', refused: { n: 3 }, words: '{"n":4}' }, { n: 2 }, null],
  ['then what the agent itself refused', { refused: { n: 3 }, words: '{"n":4}' }, { n: 3 }, null],
  ['then what was said', { words: 'Done.\n```json\n{"n":4}\n```' }, { n: 4 }, null],
  ['nothing', {}, null, missing],
  ['words without an object', { words: 'Done.' }, null, missing],
  ['a flaw is reported', { file: '{"n":2,}' }, null, 'malformed JSON near: {"n":2,}'],
])('%s', (_, answers, value, problem) => {
  expect(chooseAnswer({ ...none, ...answers })).toEqual({ value, problem })
})

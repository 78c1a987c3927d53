import { expect, test } from 'vitest'
import { isAgentTrouble, withErrorWords } from './error-words.ts'

test.each([
  ['crash: gone', 'the agent ended without an answer: gone'],
  ['no plan: bad_response: still invalid', 'no plan: the agent gave no usable answer: still invalid'],
  ['the judge: stalled: no word for 300 s', 'the judge: the agent was silent for too long: no word for 300 s'],
  ['check network: unknown: host', 'check network: unknown: host'],
  [
    'the supervisor rejected it (score 42, correct): a typo',
    'the supervisor rejected it (score 42, needs correction): a typo',
  ],
  ['the supervisor rejected it (score 42, none): a typo', 'the supervisor rejected it (score 42): a typo'],
  ['check test failed (exit 1)', 'check test failed (exit 1)'],
])('%s', (text, words) => expect(withErrorWords(text)).toBe(words))

test('an answer that is missing or wrong is trouble of the agent', () => {
  const texts = ['no plan: bad_response: x', 'crash: x', 'no plan: network: x', 'a crash: y', 'two tasks failed']
  expect(texts.map(isAgentTrouble)).toEqual([true, true, false, false, false])
})

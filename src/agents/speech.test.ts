import { expect, test } from 'vitest'
import { createSpeech } from './speech.ts'

const speak = (...messages: string[]) => {
  const speech = createSpeech()
  for (const message of messages) {
    for (const piece of message.match(/.{1,3}/gs) ?? []) speech.add(piece)
    speech.finish()
  }
  return speech
}

test('a message is the sum of its pieces', () => {
  const speech = createSpeech()
  speech.add('So: {"a"')
  speech.add(':1}')
  expect(speech.finish()).toBe('So: {"a":1}')
  expect(speech.finish()).toBeNull()
})

test.each([
  ['the last one that holds an object', ['{"a":1}', '{"a":2}', 'Done.'], '{"a":2}'],
  ['a broken try rather than what was said before', ['{"a":1}', 'So: {"a": tru'], 'So: {"a": tru'],
  ['nothing where there is none', ['Hello.', '  \n'], ''],
])('the answer is looked for in %s', (_, messages, words) => {
  expect(speak(...messages).words()).toBe(words)
})

test('a long text is cut to its last 4 MiB', () => {
  const speech = createSpeech()
  for (let i = 0; i < 100; i++) speech.add('x'.repeat(100_000))
  speech.add('{"a":1}')
  expect(speech.finish()?.length).toBe(4 * 1024 * 1024)
  expect(speech.words().endsWith('x{"a":1}')).toBe(true)
  expect(speech.tail().length).toBeLessThanOrEqual(2_000)
})

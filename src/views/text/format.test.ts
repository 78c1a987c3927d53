import { expect, test } from 'vitest'
import { age, clock, count, duration, money, plural, spent, timeOfDay } from './format.ts'

test.each([
  [0, '0.0 s'],
  [1_240, '1.2 s'],
  [9_949, '9.9 s'],
  [9_960, '10 s'],
  [41_000, '41 s'],
  [59_900, '1m 00s'],
  [125_000, '2m 05s'],
  [3_599_900, '1h 00m'],
  [3_840_000, '1h 04m'],
  [-5, '0.0 s'],
  [Number.NaN, '?'],
])('%d ms is %s', (ms, text) => expect(duration(ms)).toBe(text))

test.each([
  [-5, '0s'],
  [41_900, '41s'],
  [60_000, '1m'],
  [3_599_000, '59m'],
  [3_600_000, '1h'],
  [172_799_000, '47h'],
  [172_800_000, '2d'],
])('%d ms ago are %s', (ms, text) => expect(age(ms)).toBe(text))

test.each([
  [0, '$0.00'],
  [0.004, '<$0.01'],
  [0.12, '$0.12'],
  [25, '$25.00'],
])('%d dollars are %s', (usd, text) => expect(money(usd)).toBe(text))

test.each([
  [950, '950'],
  [12_340, '12.3k'],
  [999_949, '999.9k'],
  [999_950, '1.0M'],
  [1_200_000, '1.2M'],
])('%d counts as %s', (n, text) => expect(count(n)).toBe(text))

test('times are those of the journal', () => {
  expect(clock('2026-03-01T14:05:59.123Z')).toBe('2026-03-01 14:05 UTC')
  expect(clock('yesterday')).toBe('?')
})

test('an unreported cost is not shown as free', () => {
  expect(spent({ costUsd: 0.5, inputTokens: 9, outputTokens: 9 })).toBe('$0.50')
  expect(spent({ costUsd: 0, inputTokens: 9_000, outputTokens: 1_000 })).toBe('10.0k tokens')
  expect(spent({ costUsd: 0, inputTokens: 0, outputTokens: 0 })).toBe('')
  expect([plural(1, 'task'), plural(2, 'task'), plural(2, 'fix', 'fixes')]).toEqual(['1 task', '2 tasks', '2 fixes'])
})

test.each([
  [0, '2026-03-01 23:30 UTC', '23:30:15 UTC'],
  [60, '2026-03-02 00:30 +01:00', '00:30:15 +01:00'],
  [-210, '2026-03-01 20:00 -03:30', '20:00:15 -03:30'],
])('local time, %d minutes ahead of UTC: %s', (minutes, time, ofDay) => {
  const iso = '2026-03-01T23:30:15.250Z'
  expect([clock(iso, () => minutes), timeOfDay(iso, () => minutes)]).toEqual([time, ofDay])
  expect([clock('', () => minutes), timeOfDay('soon', () => minutes)]).toEqual(['?', '?'])
})

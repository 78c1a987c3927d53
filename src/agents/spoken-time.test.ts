import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spokenTime } from './spoken-time.ts'

const after = '2026-11-15T23:23:30.000Z'

describe('the end of a limit, from the sentence that reports it', () => {
  test.each<[string, string, string | null]>([
    ["You've hit your limit · resets 11:30pm (UTC)", 'Asia/Tokyo', '2026-11-15T23:31:00.000Z'],
    ["You've hit your limit · resets Nov 17, 1:24am (UTC)", 'Asia/Tokyo', '2026-11-17T01:25:00.000Z'],
    ["You've hit your limit · resets 3am (Europe/Berlin)", 'UTC', '2026-11-16T02:01:00.000Z'],
    ['5-hour limit reached ∙ resets 12am', 'UTC', '2026-11-16T00:01:00.000Z'],
    ['Weekly limit reached ∙ resets Nov 19 at 12pm', 'America/New_York', '2026-11-19T17:01:00.000Z'],
    ['Claude AI usage limit reached|1794790000', 'UTC', '2026-11-16T00:46:40.000Z'],
    ['You’ve hit your usage limit. Visit https://x.y/z or try again at 11:30 PM.', 'UTC', '2026-11-15T23:31:00.000Z'],
    ['… or try again at Nov 17th, 2026 1:24 AM.', 'UTC', '2026-11-17T01:25:00.000Z'],
    ['… or try again at Nov 17th, 2026 1:24 AM.', 'Asia/Kolkata', '2026-11-16T19:55:00.000Z'],
    ['try again at 11:23 PM', 'UTC', '2026-11-15T23:24:00.000Z'],
    ['try again at 11:22 PM', 'UTC', '2026-11-16T23:23:00.000Z'],
    ['resets Jan 2, 3pm (UTC)', 'UTC', '2027-01-02T15:01:00.000Z'],
    ['Please try again in 1.898s.', 'UTC', '2026-11-15T23:23:31.898Z'],
    ['Try again in 2 days 3 hours and 5 minutes.', 'UTC', '2026-11-18T02:28:30.000Z'],
    ['Your quota will reset after 13h5m3s.', 'UTC', '2026-11-16T12:28:33.000Z'],
    ['Please retry in 250ms', 'UTC', '2026-11-15T23:23:30.250Z'],
    ['resets 11:30pm (No/Where)', 'UTC', '2026-11-15T23:31:00.000Z'],
    ['resets 11:30pm', 'No/Where', null],
    ['try again at Nov 17th, 2019 1:24 AM.', 'UTC', null],
    ['try again at Nov 99th, 2026 1:24 AM.', 'UTC', null],
    ['try again at Nov 17th, 2036 1:24 AM.', 'UTC', null],
    ['try again at 25:00 PM', 'UTC', null],
    ['try again later', 'UTC', null],
    ['try again in a moment', 'UTC', null],
    ['resets soon, 3pm at the latest', 'UTC', null],
  ])('%s, on a clock in %s', (text, zone, expected) => {
    expect(spokenTime(text, { after, said: after, zone })).toBe(expected)
  })

  test('where clocks show an hour twice, the later one is meant', () => {
    const moment = { after: '2026-10-24T12:00:00.000Z', said: null, zone: 'Europe/Berlin' }
    expect(spokenTime('resets 2:30am', moment)).toBe('2026-10-25T01:31:00.000Z')
  })

  test('an invalid start time gives no time', () => {
    expect(spokenTime('resets 3pm', { after: 'yesterday', said: null, zone: 'UTC' })).toBeNull()
  })

  test('a span without a known start gives no time', () => {
    expect(spokenTime('try again in 20s', { after, said: null, zone: 'UTC' })).toBeNull()
    expect(spokenTime('try again in 20s', { after, said: '2026-11-15T23:50:00.000Z', zone: 'UTC' })).toBe(
      '2026-11-15T23:50:20.000Z',
    )
  })

  test('every instant in every zone is parsed to the minute, or to the hour that clocks show twice', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Auckland',
    )
    const instants = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) })
    const ahead = fc.integer({ min: 60_000, max: 300 * 86_400_000 })
    fc.assert(
      fc.property(zones, instants, ahead, fc.boolean(), (zone, start, wait, named) => {
        const text = `You've hit your limit · resets ${spell(start + wait, zone)}${named ? ` (${zone})` : ''}`
        const found = Date.parse(
          spokenTime(text, { after: new Date(start).toISOString(), said: null, zone: named ? 'UTC' : zone }) ?? '',
        )
        expect(found).toBeGreaterThan(start)
        expect(found - (start + wait)).toBeGreaterThanOrEqual(0)
        expect(found - (start + wait)).toBeLessThanOrEqual(61 * 60_000)
      }),
    )
  })

  test('any text is read without an error, and nothing lies in the past', () => {
    const known = fc.constantFrom(
      'resets',
      'again',
      'at',
      'in',
      'Nov',
      '17th,',
      '2026',
      '1:24',
      'AM',
      '3pm',
      '(UTC)',
      '5',
      'days',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(known, fc.string())), (parts) => {
        const found = spokenTime(parts.join(' '), { after, said: after, zone: 'UTC' })
        expect(found === null || Date.parse(found) > Date.parse(after)).toBe(true)
      }),
    )
  })
})

const spell = (instant: number, timeZone: string): string => {
  const style = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', hourCycle: 'h12' } as const
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, ...style })
    .formatToParts(instant)
    .map(({ type, value }) => [type, value])
  const { month, day, hour, minute, dayPeriod } = Object.fromEntries(parts)
  return `${month} ${day}, ${hour === '0' ? '12' : hour}:${minute}${String(dayPeriod).toLowerCase()}`
}

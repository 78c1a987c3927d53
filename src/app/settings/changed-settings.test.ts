import { describe, expect, test } from 'vitest'
import type { Event } from '../../model/event.ts'
import { changedSettings, createStretch, readDifferently, type Stretch } from './changed-settings.ts'

const config = '.looper/config.json'
const prompt = '.looper/prompts/coder.implement.md'
const begun = { files: { [config]: '1' }, keys: { 'agents.test': 'a', secrets: 's' } }
const edited = {
  files: { [config]: '2', [prompt]: '1' },
  keys: { 'agents.test': 'b', secrets: 's', 'checks.test': 'c' },
}

const stretchOf = (...events: object[]): Stretch => {
  const { stretch, follow } = createStretch()
  for (const event of events) follow(event as Event)
  return stretch
}
const started = { type: 'run.started', read: begun }
const touched = (...paths: string[]): object => ({ type: 'outside.changed', during: [], paths, more: 0 })
const stateOf = (status: string, sandbox = 'off') => ({ status, config: { sandbox } }) as never

describe('changed settings', () => {
  const told = [`${config} (agents.test, checks.test)`, prompt]

  test.each<[what: string, events: object[], status: string, found: string[]]>([
    ['a change while the run rests', [started], 'paused', []],
    ['a change during the run', [started, touched(config, prompt, 'src/a.ts')], 'paused', told],
    ['only one of the files during the run', [started, touched(prompt)], 'paused', [prompt]],
    ['a change before or after a crash', [started], 'running', told],
    ['a change that may be among unnamed ones', [started, { ...touched('a'), more: 9 }], 'completed', told],
    ['a change of an earlier stretch', [started, touched(config), { type: 'run.resumed', read: edited }], 'paused', []],
    ['a run of an older version', [{ type: 'run.started' }, touched(config, 'a.ts')], 'paused', [config]],
    ['a run of an older version that crashed', [{ type: 'run.started' }], 'running', []],
  ])('%s', (_, events, status, found) => {
    expect(changedSettings({ state: stateOf(status), stretch: stretchOf(...events) }, edited)).toEqual(found)
  })

  test('that were put back, or that the run keeps, or in a sandbox, are none', () => {
    const stretch = stretchOf(started, touched(config))
    expect(changedSettings({ state: stateOf('paused'), stretch }, begun)).toEqual([])
    const kept = { ...begun, files: edited.files }
    expect(changedSettings({ state: stateOf('paused'), stretch }, kept)).toEqual([])
    expect(changedSettings({ state: stateOf('paused', 'os'), stretch }, edited)).toEqual([])
  })

  test('what is read differently is named, whether an agent or a person changed it', () => {
    expect(readDifferently(stretchOf(started), edited)).toEqual(['agents.test', 'checks.test', prompt])
    expect(readDifferently(stretchOf({ type: 'run.started' }), edited)).toEqual([])
  })
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { knownPrograms } from '../model/agent-type.ts'
import { createAdapters, kindOf } from './registry.ts'

test('every adapter is found under its own id', () => {
  for (const [type, adapter] of Object.entries(createAdapters({ playerPath: '/player.js', driverPath: '/player.js' })))
    expect(adapter.id).toBe(type)
})

test.each(knownPrograms)('%s is described as of the version that is tested', (name) => {
  const pinned = JSON.parse(
    readFileSync(new URL('../../scripts/agent-versions.json', import.meta.url), 'utf8'),
  ) as Record<string, { version: string }>
  expect(kindOf(name).capabilities.testedWith).toBe(pinned[name]?.version)
})

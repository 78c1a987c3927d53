import { expect, test } from 'vitest'
import type { AgentConfig, AgentType } from '../model/config.ts'
import { adapterFor, createAdapters } from './registry.ts'

test.each<[string, AgentConfig, AgentType | null]>([
  ['claude', {}, 'claude'],
  ['codex', { bin: '/opt/codex' }, 'codex'],
  ['gemini', {}, 'gemini'],
  ['opencode', {}, 'opencode'],
  ['mine', { type: 'claude' }, 'claude'],
  ['claude', { type: 'codex', command: ['x'] }, 'codex'],
  ['claude', { command: ['x'] }, 'command'],
  ['claude', { script: 'x.yaml', command: ['x'] }, 'scripted'],
  ['gemini', { acp: ['gemini', '--acp'] }, 'acp'],
  ['acp', {}, null],
  ['command', {}, null],
  ['mine', {}, null],
  ['toString', {}, null],
])('%s with %o is driven as %s (D5)', (name, config, type) => {
  expect(adapterFor(name, config)).toBe(type)
})

test('every adapter is found under its own id', () => {
  for (const [type, adapter] of Object.entries(createAdapters({ playerPath: '/player.js', driverPath: '/player.js' }))) expect(adapter.id).toBe(type)
})

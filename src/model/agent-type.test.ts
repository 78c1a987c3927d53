import { expect, test } from 'vitest'
import { agentTypeOf } from './agent-type.ts'
import type { AgentConfig, AgentType } from './config.ts'

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
  expect(agentTypeOf(name, config)).toBe(type)
})

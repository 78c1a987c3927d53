import { describe, expect, test } from 'vitest'
import { agentTypes } from '../model/config.ts'
import { knownStates, stateOfType } from './registry.ts'

const home = '/home/u'
const all = knownStates({ home, env: {} })

describe('the state of agents', () => {
  test.each([
    ['claude', {}, ['/home/u/.claude', '/home/u/.claude.json']],
    ['claude', { CLAUDE_CONFIG_DIR: '/c' }, ['/c']],
    ['codex', {}, ['/home/u/.codex']],
    ['codex', { CODEX_HOME: '/c' }, ['/c']],
    ['gemini', {}, ['/home/u/.gemini']],
    ['gemini', { GEMINI_CLI_HOME: '/g' }, ['/g/.gemini']],
    ['opencode', { XDG_DATA_HOME: '/d' },
      ['/home/u/.config/opencode', '/d/opencode', '/home/u/.local/state/opencode', '/home/u/.cache/opencode']],
  ] as const)('%s with %j', (type, env, writable) => {
    expect(stateOfType(type)?.({ home, env }).writable).toEqual(writable)
  })

  test('lies within what is hidden from others, and its settings within it', () => {
    for (const type of agentTypes) {
      const { writable, protect } = stateOfType(type)?.({ home, env: {} }) ?? { writable: [], protect: [] }
      expect(all.writable).toEqual(expect.arrayContaining(writable))
      for (const path of protect) expect(writable.some((folder) => path.startsWith(`${folder}/`))).toBe(true)
    }
  })

  test('is that of all agents for programs that may start any of them, and none for a script', () => {
    expect(stateOfType('command')?.({ home, env: {} })).toEqual(all)
    expect(stateOfType('acp')?.({ home, env: {} })).toEqual(all)
    expect(stateOfType('scripted')).toBeNull()
  })
})

import { describe, expect, test } from 'vitest'
import { agentTypes } from '../model/config.ts'
import { knownStates, stateOfAgent } from './registry.ts'

const home = '/home/u'
const all = knownStates({ home, env: {} })

describe('the state of agents', () => {
  test.each([
    ['claude', {}, ['/home/u/.claude']],
    ['claude', { CLAUDE_CONFIG_DIR: '/c' }, ['/c']],
    ['codex', {}, ['/home/u/.codex']],
    ['codex', { CODEX_HOME: '/c' }, ['/c']],
    ['gemini', {}, ['/home/u/.gemini']],
    ['gemini', { GEMINI_CLI_HOME: '/g' }, ['/g/.gemini']],
    [
      'opencode',
      { XDG_DATA_HOME: '/d' },
      ['/home/u/.config/opencode', '/d/opencode', '/home/u/.local/state/opencode', '/home/u/.cache/opencode'],
    ],
  ] as const)('%s with %j', (type, env, writable) => {
    expect(stateOfAgent(type, {})?.({ home, env }).writable).toEqual(writable)
  })

  test('lies within what is hidden from others, and its settings within it', () => {
    for (const type of agentTypes) {
      const { writable, files, protect } = stateOfAgent('x', { type })?.({ home, env: {} }) ?? {
        writable: [],
        files: [],
        protect: [],
      }
      expect(all.writable).toEqual(expect.arrayContaining(writable))
      expect(all.files).toEqual(expect.arrayContaining(files))
      for (const path of protect) expect(writable.some((folder) => path.startsWith(`${folder}/`))).toBe(true)
    }
  })

  test("of the user's own programs is that of the agents they are named after, or of all", () => {
    const stateOf = (command: string[]): unknown => stateOfAgent('mine', { command })?.({ home, env: {} })
    expect(stateOf(['python3', 'agent.py'])).toEqual(all)
    expect(stateOf(['/opt/bin/my-claude', '-p'])).toEqual(stateOfAgent('claude', {})?.({ home, env: {} }))
    expect(stateOfAgent('mine', { acp: ['gemini', '--acp'] })?.({ home, env: {} })).toEqual(
      stateOfAgent('gemini', {})?.({ home, env: {} }),
    )
    expect(stateOfAgent('mine', { script: 'x.yaml' })).toBeNull()
  })
})

/** Where OpenCode keeps its state. It installs the dependencies of its plugins beside its settings. */
import { join } from 'node:path'
import type { StateOf } from '../state.ts'

const settings = [
  'opencode.json',
  'opencode.jsonc',
  'config.json',
  'AGENTS.md',
  'agent',
  'agents',
  'command',
  'commands',
  'plugin',
  'plugins',
  'tool',
  'tools',
]

export const stateOf: StateOf = ({ home, env }) => {
  const at = (variable: string, usual: string): string => join(env[variable] || join(home, usual), 'opencode')
  const config = at('XDG_CONFIG_HOME', '.config')
  return {
    writable: [
      config,
      at('XDG_DATA_HOME', '.local/share'),
      at('XDG_STATE_HOME', '.local/state'),
      at('XDG_CACHE_HOME', '.cache'),
    ],
    files: [],
    protect: settings.map((name) => join(config, name)),
  }
}

/** Where Claude Code keeps its state. */
import { join } from 'node:path'
import type { StateOf } from '../state.ts'

const settings = [
  'settings.json',
  'settings.local.json',
  'CLAUDE.md',
  'commands',
  'agents',
  'hooks',
  'skills',
  'plugins',
  'output-styles',
]

export const stateOf: StateOf = ({ home, env }) => {
  const own = env['CLAUDE_CONFIG_DIR']
  const folder = own || join(home, '.claude')
  const files = own ? [] : [join(home, '.claude.json')]
  return { writable: [folder], files, protect: settings.map((name) => join(folder, name)) }
}

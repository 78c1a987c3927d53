/** Where Codex keeps its state. */
import { join } from 'node:path'
import type { StateOf } from '../state.ts'

const settings = ['config.toml', 'AGENTS.md', 'AGENTS.override.md', 'hooks.json', 'prompts', 'rules', 'skills']

export const stateOf: StateOf = ({ home, env }) => {
  const folder = env['CODEX_HOME'] || join(home, '.codex')
  return { writable: [folder], files: [], protect: settings.map((name) => join(folder, name)) }
}

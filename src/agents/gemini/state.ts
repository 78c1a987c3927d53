/** Where Gemini CLI keeps its state. */
import { join } from 'node:path'
import type { StateOf } from '../state.ts'

const settings = ['settings.json', 'GEMINI.md', 'commands', 'extensions', 'hooks', 'policies', 'skills', '.env']

export const stateOf: StateOf = ({ home, env }) => {
  const folder = join(env['GEMINI_CLI_HOME'] || home, '.gemini')
  return { writable: [folder], files: [], protect: settings.map((name) => join(folder, name)) }
}

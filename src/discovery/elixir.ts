/** Elixir projects: `mix test` after the dependencies are fetched. */
import { check, type Discovery, type Ecosystem, type Project } from './project.ts'

export const elixir: Ecosystem = { isManifest: (name) => name === 'mix.exs', discover }

async function discover({ files }: Project): Promise<Partial<Discovery>> {
  return {
    setup: files.has('mix.lock') ? ['mix deps.get'] : [],
    checks: [check('mix test', 'mix test')],
    proposed: files.has('.formatter.exs') ? [check('mix format', 'mix format --check-formatted')] : [],
  }
}

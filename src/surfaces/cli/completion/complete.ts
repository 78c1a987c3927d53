/**
 * `looper __complete <shell> <words…>`: what a shell asks on each tab. Prints a candidate a line, with a tab before the
 * words about it, or `:files` and `:folders` where the shell knows better. It fails in silence: a prompt is no place
 * for errors.
 */
import { jsonText } from '../../../views/json-text.ts'
import { plain } from '../../../views/plain-text.ts'
import type { App } from '../app.ts'
import { createContext, type World } from '../context.ts'
import { shells, wordsFrom } from './shells.ts'
import { suggest, type Suggestion } from './suggest.ts'
import type { Candidate } from './table.ts'

/** Returns the exit code. */
export async function complete([first, ...told]: readonly string[], world: World): Promise<number> {
  const { out } = world
  if (first === '--table') {
    const { describeCommands } = await import('./describe.ts')
    out.write(`${jsonText(await describeCommands())}\n`)
    return 0
  }
  const shell = shells.find((name) => name === first)
  if (shell === undefined) return 2
  try {
    const { words, isBare } = wordsFrom(shell, told)
    const table =
      (await createContext(world, {}).app.commandTable()) ?? (await (await import('./describe.ts')).describeCommands())
    const suggestion = suggest(table, words)
    out.write(
      (await linesOf(suggestion, world))
        .map((line) => `${isBare ? line.slice(line.indexOf('=') + 1) : line}\n`)
        .join(''),
    )
    return 0
  } catch {
    return 1
  }
}

async function linesOf(suggestion: Suggestion, world: World): Promise<string[]> {
  const { source, kept, typed, candidates } = suggestion
  if (source === 'file' || source === 'folder') return [`:${source}s`]
  const found = source === null ? [] : await lookUp(suggestion, source, world)
  const taken = new Set(kept.replace(/^--[\w-]+=/, '').split(','))
  const fitting = [...candidates, ...found].filter(({ value }) => value.startsWith(typed) && !taken.has(value))
  return fitting.map((candidate) => lineOf(kept, candidate))
}

function lookUp(
  { run, folder }: Suggestion,
  source: Parameters<App['candidates']>[0],
  world: World,
): Promise<Candidate[]> {
  const home = world.io.env.HOME ?? ''
  const context = createContext(world, folder === null ? {} : { C: folder.replace(/^~(?=\/|$)/, home) })
  return context.app.candidates(source, run)
}

/** Titles of tasks are agents' words. */
function lineOf(kept: string, { value, about }: Candidate): string {
  const words = plain(about, 70)
  return words === '' ? `${kept}${value}` : `${kept}${value}\t${words}`
}

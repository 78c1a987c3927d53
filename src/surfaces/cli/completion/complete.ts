/**
 * `looper __complete <shell> <words…>`: called by the shell on each tab. Prints one candidate per line, with its
 * description after a tab, or `:files` and `:folders` when the shell should complete paths. Fails silently: an error
 * message would damage the prompt.
 */
import { jsonText } from '../../../views/text/json-text.ts'
import { plain } from '../../../views/text/plain-text.ts'
import { createCliContext, type World } from '../context.ts'
import { readTable } from './read-table.ts'
import { shells, wordsFrom } from './shells.ts'
import { suggest, type Suggestion } from './suggest.ts'
import type { Candidate, Source } from './table.ts'

/** Returns the exit code. */
export async function complete([first, ...typed]: readonly string[], world: World): Promise<number> {
  const { out } = world
  if (first === '--table') {
    const { describeCommands } = await import('./describe.ts')
    out.write(`${jsonText(await describeCommands(world.host.app))}\n`)
    return 0
  }
  const shell = shells.find((name) => name === first)
  if (shell === undefined) return 2
  try {
    const { words, isBare } = wordsFrom(shell, typed)
    const table =
      readTable(world.host.packageFolder) ?? (await (await import('./describe.ts')).describeCommands(world.host.app))
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

function lookUp({ run, folder }: Suggestion, source: Source, world: World): Promise<Candidate[]> {
  const home = world.io.env.HOME ?? ''
  const { cwd } = createCliContext(world, folder === null ? {} : { C: folder.replace(/^~(?=\/|$)/, home) })
  return world.host.candidates(cwd, source, run)
}

/** Removes control characters, because agents write the titles of tasks. */
function lineOf(kept: string, { value, about }: Candidate): string {
  const words = plain(about, 70)
  return words === '' ? `${kept}${value}` : `${kept}${value}\t${words}`
}

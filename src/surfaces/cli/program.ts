/** The command line: finds the command, loads it, runs it, and turns whatever comes back into an exit code. */
import type { App } from './app.ts'
import { changesAnything, type Entry } from './catalogue.ts'
import { createContext, type World } from './context.ts'
import type { Io } from './io.ts'
import { locate, refuseCommandAsGoal } from './locate.ts'
import { createOutput } from './output.ts'
import { parseQuickly } from './parse-quickly.ts'
import { printError } from './print-error.ts'

/** What shells call; not a command for people. */
const completionWord = '__complete'

/** Never throws. The caller sets the exit code and lets the process end by itself, so that output is not cut off. */
export async function runCli(argv: readonly string[], io: Io, createApp: (cwd: string) => App): Promise<number> {
  const world: World = { io, out: createOutput(() => io.stdout), err: createOutput(() => io.stderr), createApp }
  // A shell asks with each tab: it must not wait for more than it needs.
  if (argv[0] === completionWord) return (await import('./completion/complete.ts')).complete(argv.slice(1), world)
  let command = ''
  try {
    const located = locate(argv)
    if (located.kind === 'command') {
      command = located.entry.name
      return await perform(located, world)
    }
    const { groupHelp, mainHelp } = await import('./main-help.ts')
    world.out.write(located.group === null ? mainHelp() : groupHelp(located.group))
    return 0
  } catch (error) {
    return printError(error, world.err, { command, debug: argv.includes('--debug') })
  }
}

async function perform(
  { entry, args, implied }: { entry: Entry; args: string[]; implied: boolean },
  world: World,
): Promise<number> {
  const { command: spec } = await entry.load()
  const width = world.io.isTTY ? world.io.columns : 80
  const parsed =
    parseQuickly(entry, args) ?? (await import('./parse.ts')).parse({ ...entry, spec, args }, world.out, width)
  if (parsed === null) return 0
  if (implied && parsed.args[0] !== undefined) refuseCommandAsGoal([parsed.args[0]])
  const context = createContext(world, parsed.options)
  if (changesAnything(entry, parsed.options)) await context.app.refuseInside()
  return spec.run(context, parsed.args, parsed.options)
}

/** The command line: finds the command, loads it, runs it, and returns an exit code. */
import { changesAnything, type Entry } from './catalogue.ts'
import { createContext, type World } from './context.ts'
import type { Host } from './host.ts'
import type { Io } from './io.ts'
import { locate, refuseCommandAsGoal } from './locate.ts'
import { createOutput } from './output.ts'
import type { Request } from './parse.ts'
import { parseQuickly, type Parsed } from './parse-quickly.ts'
import { printError } from './print-error.ts'

/** The internal command that shells call. */
const completionWord = '__complete'

/** Never throws. The caller sets the exit code and lets the process end by itself, so that output is not cut off. */
export async function runCli(argv: readonly string[], io: Io, host: Host): Promise<number> {
  const world: World = { io, out: createOutput(() => io.stdout), err: createOutput(() => io.stderr), host }
  // Handled first, because a shell calls this on each tab and must not wait.
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
  const parsed = parseQuickly(entry, args) ?? (await parseFully({ ...entry, spec, args }, world, width))
  if (parsed === null) return 0
  if (implied && parsed.args[0] !== undefined) refuseCommandAsGoal([parsed.args[0]])
  const context = createContext(world, parsed.options)
  if (changesAnything(entry, parsed.options)) await context.looper.refuseInside()
  return spec.run(context, parsed.args, parsed.options)
}

/** Loads the table of settings only for a command that has settings. */
async function parseFully(
  request: Omit<Request, 'table'>,
  { host, out }: World,
  width: number,
): Promise<Parsed | null> {
  const { parse } = await import('./parse.ts')
  const { table } = request.spec.addSettings ? await host.app.settingFlags() : { table: [] }
  return parse({ ...request, table }, out, width)
}

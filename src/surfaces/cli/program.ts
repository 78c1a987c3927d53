/** The command line: finds the command, loads it, runs it, and returns an exit code. */
import { changesAnything, type Entry } from './catalog.ts'
import { createCliContext, type World } from './context.ts'
import { define } from './definition.ts'
import type { Host } from './host.ts'
import type { Io } from './io.ts'
import { locate, refuseCommandAsGoal } from './locate.ts'
import type { OptionLine } from './option.ts'
import { createOutput } from './output.ts'
import { parse } from './parse.ts'
import { printError } from './print-error.ts'
import { readArguments } from './read-arguments.ts'

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
    return printError(error, world.err, {
      command,
      debug: argv.includes('--debug'),
      width: io.isTTY ? io.columns : null,
    })
  }
}

async function perform(
  { entry, args, implied }: { entry: Entry; args: readonly string[]; implied: boolean },
  world: World,
): Promise<number> {
  const { command: spec } = await entry.load()
  const settings = async (): Promise<OptionLine[]> => spec.settings?.((await world.host.app.settingFlags()).table) ?? []
  let definition = define(entry, spec)
  let reading = readArguments(definition.options, args)
  // The table of settings is loaded only for an option that the command itself does not have.
  if (reading.unknown.length > 0) {
    definition = define(entry, spec, await settings())
    reading = readArguments(definition.options, args)
  }
  const parsed = parse(definition, reading)
  if (parsed === null) {
    const { commandHelp } = await import('./command-help.ts')
    const width = world.io.isTTY ? world.io.columns : 80
    world.out.write(commandHelp(define(entry, spec, await settings()), spec, width))
    return 0
  }
  if (implied && parsed.args[0] !== undefined) refuseCommandAsGoal([parsed.args[0]])
  const context = createCliContext(world, parsed.options)
  if (changesAnything(entry, parsed.options)) await context.looper.refuseInside()
  return spec.run(context, parsed.args, parsed.options)
}

/** Options that every command takes, and that may also come before the command. */
export const globalOptions = [
  { name: '-C', value: '<dir>', about: 'run in this folder' },
  { name: '--debug', value: null, about: 'print stack traces with errors' },
  { name: '--no-color', value: null, about: 'disable colors (also NO_COLOR)' },
] as const

/**
 * Counts the words at the start of a command line that are such options and their values: `-C dir`, `-Cdir`, `--debug`.
 */
export function countGlobals(argv: readonly string[]): number {
  let count = 0
  for (;;) {
    const word = argv[count]
    const option = globalOptions.find(({ name, value }) => word === name || (value !== null && word?.startsWith(name)))
    if (option === undefined) return count
    count += word === option.name && option.value !== null ? 2 : 1
  }
}

/** Reduces an agent's error to one line: a crash prints its whole stack, and messages may span lines. */

const mostChars = 300

/** Lines that only locate the error: stack frames, carets, source positions, the version that the runtime adds. */
const locators = [
  /^(?:at |File "|Traceback \(|goroutine \d|stack backtrace|note: |Node\.js v\d|\d+: |\.{3} )/,
  /^[~^]+$/,
  /^[\w./:\\-]+:\d+(?::\d+)?:?$/,
]
const isPlace = (line: string): boolean => locators.some((pattern) => pattern.test(line))
const isError = (line: string): boolean =>
  /^(?:Uncaught |fatal: |panic: |thread '.*' panicked|[\w.$]*(?:Error|Exception)\b)/.test(line)

/** Returns a text of one line as it is. */
export function errorLine(message: string): string {
  const [how = '', ...rest] = message
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (rest.length === 0) return bounded(how)
  // The first line says how the process ended, and may also contain the first line of its output after a colon.
  const cut = how.indexOf(': ')
  const [head, lines] = cut < 0 ? [how, rest] : [how.slice(0, cut), [how.slice(cut + 2), ...rest]]
  const cause = lines.find(isError) ?? lines.findLast((line) => !isPlace(line))
  return bounded(cause === undefined ? head : `${head}: ${cause}`)
}

const bounded = (line: string): string => (line.length <= mostChars ? line : `${line.slice(0, mostChars - 1)}…`)

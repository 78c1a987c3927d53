/**
 * What an agent's error says, in one line: a crash brings its whole stack along, and reasons stand in lists, lines and
 * files.
 */

const mostChars = 300

/** What only says where something happened: frames, rulers, the line of source, the version that the runtime adds. */
const places = [
  /^(?:at |File "|Traceback \(|goroutine \d|stack backtrace|note: |Node\.js v\d|\d+: |\.{3} )/,
  /^[~^]+$/,
  /^[\w./:\\-]+:\d+(?::\d+)?:?$/,
]
const isPlace = (line: string): boolean => places.some((pattern) => pattern.test(line))
const isError = (line: string): boolean =>
  /^(?:Uncaught |fatal: |panic: |thread '.*' panicked|[\w.$]*(?:Error|Exception)\b)/.test(line)

/** The whole text where it is one line already. */
export function errorLine(message: string): string {
  const [how = '', ...rest] = message
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (rest.length === 0) return bounded(how)
  // The beginning says how it ended, and may have the first of the other lines behind it.
  const cut = how.indexOf(': ')
  const [head, lines] = cut < 0 ? [how, rest] : [how.slice(0, cut), [how.slice(cut + 2), ...rest]]
  const telling = lines.find(isError) ?? lines.findLast((line) => !isPlace(line))
  return bounded(telling === undefined ? head : `${head}: ${telling}`)
}

const bounded = (line: string): string => (line.length <= mostChars ? line : `${line.slice(0, mostChars - 1)}…`)

/** Picks the lines of a check's output that say what is wrong: runners print summaries and stack frames after them. */

/** Lines that only locate, measure or count. */
const noise = [
  // npm removes its cache folder of a check, and the log with it.
  /^npm (?:error|ERR!)(?:$| A complete log of this run| Log files| .*\/_logs\/)/,
  /^at .*[:(]/,
  /^(?:[\w.<>[\]$ ]+ \()?(?:node:|file:\/\/|[\w./\\-]*\/)[^ ]*:\d+:\d+\)?$/,
  /^(?:---|\.\.\.|1\.\.\d+|TAP version \d+|Node\.js v\d\S*)$/,
  /^(?:# |ℹ )(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/,
  /^(?:duration_ms|location|failureType|type|code|stack|operator): /,
  /^g?make(?:\[\d+\])?: (?:\*\*\* .*\bError \d+$|(?:Entering|Leaving) directory )/,
]
const isNoise = (line: string): boolean => noise.some((pattern) => pattern.test(line.trim()))

const bare = (line: string): string => line.trim().replace(/^# +/, '')

/** A line of TAP as `error: 'text'`, and what runtimes, compilers and pytest print. */
const quoted = /^error: (['"])(.+)\1$/
const errors = [
  quoted,
  /^(?:Uncaught |fatal: |panic: |thread '.*' panicked|error(?:\[\w+\])?: (?![|>]))/,
  /^(?:[\w.$]*(?:Error|Exception))(?: \[\w+\])?: \S/,
  // gcc, clang and javac: "a.c:3:7: error: …"; tsc: "a.ts(3,7): error TS1: …"; go: "./a.go:3:7: …"
  /^\S+[:(]\d+(?:[:,]\d+)?\)?(?::| -) (?:fatal )?error\b/,
  /^\S+\.go:\d+:\d+: \S/,
  /: undefined reference to \S/,
  /^E {2,}\S/,
]
const isError = (line: string): boolean => errors.some((pattern) => pattern.test(bare(line)))

const linesOf = (text: string): string[] => text.trimEnd().split('\n')

/** The first line that names an error, else the last one that says anything; empty for no output. */
export function failureLine(text: string): string {
  const lines = linesOf(text).filter((line) => !isNoise(line) && line.trim() !== '')
  const line = bare(lines.find(isError) ?? lines.at(-1) ?? '')
  return quoted.exec(line)?.[2] ?? line.replace(/^E {2,}/, '')
}

/** The last lines without noise. Where they do not contain the first error, it comes before them. */
export function failureLines(text: string, most: number): string {
  const lines = linesOf(text).filter((line) => !isNoise(line))
  while (lines.at(-1)?.trim() === '') lines.pop()
  if (lines.length === 0) return linesOf(text).slice(-most).join('\n')
  const first = lines.findIndex(isError)
  if (first < 0 || first >= lines.length - most) return lines.slice(-most).join('\n')
  return [lines[first], '…', ...lines.slice(2 - most)].join('\n')
}

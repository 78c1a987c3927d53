/**
 * Finds the lines of a failed set-up command that name the reason. They are seldom the last ones, which name a log or
 * repeat the command. Pure.
 */

/** Lines of package managers that are no reason, whatever words they contain. */
const noise = [
  /^npm (?:warn|WARN|notice|http|verb|info)\b/,
  /^npm (?:error|ERR!)(?: (?:code|errno|syscall|path|dest|command|signal|cwd|A complete log|Log files|Run "npm)\b.*)?$/,
  /^npm (?:error|ERR!) (?:\d{3}|[a-z]+)$/i,
  /^npm (?:error|ERR!) gyp (?:info|verb|http|ERR! (?:System|command|cwd|node|stack|not ok|build error))\b/,
  /^npm (?:error|ERR!) +(?:(?:Clean )?install a p|Usage:|Options:|aliases:|\[-|--?[\w|-]+$|npm (?:ci|install)$)/i,
  /^npm (?:error|ERR!) +(?:at .*[:(]|\w+: .*,$|\}$|\^+$|node:internal|If you are behind a proxy)/,
  /^npm (?:error|ERR!) (?:command failed$|While resolving:|Could not resolve dependency:|Fix the upstream dependency)/,
  /^npm (?:error|ERR!) +(?:node_modules\/|\S+@".*" from the root project)/,
  /^npm (?:error|ERR!) (?:For a full report|.*(?:_logs|eresolve-report)\b)/,
  /^\[?(?:warn(?:ing)?|notice|hint|info|note)\b/i,
  /^➤ YN(?:0000|0002|0007|0013|0019|0050|0060|0065|0085|0086):/,
  /^(?:at \S|File ".*", line \d+|\^+$)/,
  /^error Command failed\b|^ELIFECYCLE\b|\[end of output\]|\bexit code: \d+$/,
  /^(?:error: )?(?:subprocess-exited-with-error|metadata-generation-failed|failed-wheel-build-for-install)$/,
  /^[×╰│]/,
]

/** Lines that name a reason. The first pattern that finds one decides. */
const reasons = [
  /\bERR_PNPM_\w+|^➤ YN\d{4}:/,
  /^(?:npm (?:error|ERR!)|error|fatal|could not find gem)\b/i,
  /\b[A-Z]\w*(?:Error|Exception): |^Error: /,
  /\b(?:error|denied|not found|cannot|can't|could not|couldn't|unable to|failed|no matching|missing)\b(?!\s*$)/i,
]

const most = 3

/** At most three lines, in their order. The last lines of the output when no line names a reason. */
export function setupReason(output: readonly string[]): string[] {
  const lines = output.map((line) => line.trim()).filter((line) => line !== '')
  const informative = lines.filter((line) => !noise.some((pattern) => pattern.test(line)))
  for (const pattern of reasons) {
    const found = informative.filter((line) => pattern.test(line))
    if (found.length > 0) return [...unreachable(lines), ...withCauses(clearest(found), informative)].slice(0, most)
  }
  return (informative.length > 0 ? informative : lines).slice(-most)
}

/** pip warns of an index that it cannot reach, and then says only that no version was found. */
function unreachable(lines: readonly string[]): string[] {
  const warnings = lines.filter((line) => line.startsWith('WARNING: Retrying '))
  return warnings.slice(-1).flatMap((line) => /Failed to establish a new connection: [^'"]+/.exec(line)?.[0] ?? [])
}

/** npm repeats the whole output of a script that failed, a line each: then lines that name an error come first. */
function clearest(found: readonly string[]): string[] {
  if (found.length <= most) return [...found]
  const named = found.filter((line) => namesError.test(line.replace(/^npm (?:error|ERR!) ?/, '')))
  return (named.length > 0 ? named : found).slice(0, most)
}

const namesError =
  /\b(?:error|ERR!|fatal|not found|cannot|can't|could not|unable to|failed|missing|denied)\b|Error: |^peer /i

/** cargo lists causes of causes, each after a line `Caused by:`. The last ones are the reason. */
function withCauses(found: string[], lines: readonly string[]): string[] {
  const causes = lines.filter((_, at) => lines[at - 1] === 'Caused by:')
  return causes.length === 0 ? found : [...found.slice(0, 1), ...causes.slice(-2)]
}

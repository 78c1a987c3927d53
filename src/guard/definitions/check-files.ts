/** Finds weakened programs that a configured check runs: only additions are accepted without a finding. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'
import { either } from '../pattern.ts'
import { readTests } from '../read-suite.ts'
import { belongsToTests } from '../test-path.ts'
import { weakerCommand } from './commands.ts'
import { executedBy } from './executed.ts'
import { resolvedCommands } from './scripts.ts'

/** Product code may be rewritten, as long as it still fails where it did. */
const product = /^(?:.*\/)?(?:src|lib|app|bin|dist|build|cmd|pkg|internal|server|client)\//
const settings = /\.(?:jsonc?|json5|toml|ini|cfg|ya?ml|xml)$/
const shell = /\.(?:ba|z|k|fi)?sh$/

/** Ways to exit successfully, whatever happened before. */
const succeeding = either(
  /\bprocess\.exit\(\s*0?\s*\)|\bprocess\.exitCode\s*=\s*0\b/,
  /\bprocess\.on\(\s*['"](?:exit|uncaughtException|unhandledRejection)/,
  /\b(?:sys\.exit|os\._exit|quit|exit)\(\s*(?:0|None)?\s*\)|\bexit!?\s+0\b|\bexit\s*;?\s*$/,
  /\bset \+e\b|^trap\b|\bexec\s+true\b/,
  /^(?:if|while|until)\b.{0,3}\b(?:false|False|0)\b|^return\b;?$|<<-?\s*['"]?\w+/,
)
/** A comment or text that is opened but not closed on its line disables the lines after it. */
const opening = /^(?:\/\*(?!.*\*\/)|"""(?!.*""")|'''(?!.*'''))/
const failing = either(
  /\bexit\(\s*[^)0\s]|\bexit\s+[1-9$]|\bexitCode\s*=\s*[^0\s]/,
  /\bthrow\b|\braise\b|\bassert\w*\b|\bexpect\(|\bfail\w*\(|\breject\(/,
  /\b(?:exec|spawn|execFile)(?:Sync)?\(|\bsubprocess\.|\bcheck_(?:call|output)\(|\bos\.system\(/,
)

export function compareCheckFiles(changed: readonly ChangedFile[], checks: readonly string[]): TamperFinding[] {
  if (checks.length === 0) return []
  const executed = executedBy(resolvedCommands(changed, checks))
  return changed.flatMap((file) => {
    const { path, before, after } = file
    if (before === null || before === after || !executed.has(path) || settings.test(path)) return []
    if (belongsToTests(path) && readTests(path, before).tests.length > 0) return []
    const why = after === null ? 'a check runs it, and it is gone' : weaker(path, before, after)
    return why === null ? [] : [finding('check-changed', path, null, why)]
  })
}

function weaker(path: string, before: string, after: string): string | null {
  const isShell = shell.test(path) || /^#!.{0,60}sh\b/.test(before)
  const [was, is] = [linesOf(before), linesOf(after)]
  const added = without(is, was)
  const passes = added.find((line) => succeeding.test(line) || opening.test(line))
  if (passes !== undefined) return `passes whatever happens: ${passes}`
  const gone = without(was, is).filter(
    (line) => !/^(?:echo|printf|console\.log\(|print\()/.test(line) && /\w/.test(line),
  )
  const demanded = product.test(path) && !isShell ? gone.filter((line) => failing.test(line)) : gone
  const lost = demanded.find((line) => !added.some((other) => standsIn(line, other, isShell)))
  return lost === undefined ? null : `a check runs it, and it no longer has: ${lost}`
}

/** Whether a line replaces another: the same command with more arguments, or the same names from another module. */
function standsIn(line: string, other: string, isShell: boolean): boolean {
  const bound = /^(?:import|from|const|let|var)\b(.*?)(?:\bfrom\b|= require\(|\bimport\b)/
  const [names, now] = [bound.exec(line)?.[1], bound.exec(other)?.[1]]
  if (names !== undefined && names.trim() !== '') return names === now
  if (!isShell) return false
  const [words, more] = [line.split(' '), other.split(' ')]
  let at = 0
  for (const word of more) if (word === words[at]) at += 1
  return words[0] === more[0] && at === words.length && weakerCommand(line, other) === null
}

const longest = 400_000

/** Splits into lines, without layout and comment lines. */
function linesOf(text: string): string[] {
  return text
    .slice(0, longest)
    .split('\n')
    .map((line) =>
      line
        .slice(0, 1000)
        .trim()
        .replace(/\s+/g, ' ')
        .replace(/[;,]+$/, ''),
    )
    .filter((line) => line !== '' && !/^(?:\/\/|#(?!!))/.test(line))
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines
    .filter((line) => {
      const left = counts.get(line) ?? 0
      counts.set(line, left - 1)
      return left <= 0
    })
    .slice(0, 1000)
}

/**
 * Compares the commands that people and CI run as checks: scripts of package.json, Makefile targets and shell scripts.
 */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'
import { either } from '../pattern.ts'
import { lostStep, purposesOf, segments, weakerCommand } from './commands.ts'
import { isHarmless } from './hook-steps.ts'
import { readSettings } from './settings.ts'

type Scripts = Map<string, string>

const checking = either(
  /^(?:pre|post)?(?:tests?|lint|type-?check|types|checks?|build|ci|verify|validate|cov(?:erage)?)(?:$|[:._-])/,
  /^(?:pre|post)?(?:e2e|unit|specs?|tsc|knip|format[:-]check|quality|qa)(?:$|[:._-])/,
)
const makefile = /(?:^|\/)(?:GNUm|[Mm])akefile$|\.mk$|(?:^|\/)\.?[Jj]ustfile$/
const shell = /(?:^|\/)(?:[\w-]*(?:test|check|lint|ci|verify)[\w-]*)(?:\.(?:sh|bash))?$/

const manifest = /(?:^|\/)(?:package|composer|deno)\.jsonc?$/

/** Files whose scripts a check may run; they are read even when they did not change. */
export const scriptFiles: readonly string[] = [
  'package.json',
  'composer.json',
  'deno.json',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'justfile',
]

export function compareScripts(changed: readonly ChangedFile[], checks: readonly string[]): TamperFinding[] {
  return changed.flatMap(({ path, before, after }) => {
    if (before === null || before === after) return []
    const [was, is] = [scriptsOf(path, before), scriptsOf(path, after)]
    if (was !== null && is !== null) {
      const hooks = manifest.test(path) ? compareHooks(path, was, is, reachedBy(checks, was)) : []
      return [...compareNamed(path, was, is, calledBy(checks, was)), ...hooks]
    }
    const isShell = /\.(?:ba)?sh$/.test(path) || /^#!.{0,60}sh\b/.test(before)
    return shell.test(path) && isShell ? compareShell(path, before, after) : []
  })
}

function scriptsOf(path: string, text: string | null): Scripts | null {
  if (manifest.test(path)) return fromJson(path, text)
  return makefile.test(path) ? fromMakefile(text) : null
}

/** Returns the commands, followed by the same commands with the scripts they call expanded. */
export function resolvedCommands(
  files: readonly ChangedFile[],
  commands: readonly string[],
  when: 'before' | 'after' = 'before',
): string[] {
  const known = files
    .filter(({ path }) => scriptFiles.includes(path))
    .flatMap((file) => scriptsOf(file.path, file[when]) ?? [])
  const all: Scripts = new Map(known.flatMap((scripts) => [...scripts]))
  return [...commands, ...commands.slice(0, 100).map((command) => resolve(command, all))]
}

/** Returns the scripts that commands call by name; a bare `make` calls the first one. */
function calledBy(commands: readonly string[], scripts: Scripts): Set<string> {
  const names = commands
    .slice(0, 100)
    .flatMap((command) => [...command.slice(0, 4000).matchAll(call)].map(([, name]) => name ?? ''))
  const bare = commands.some((command) => /(?:^|[;&|]\s*)(?:make|just)\s*(?:$|[;&|])/.test(command.slice(0, 4000)))
  return new Set([...names, ...(bare ? [...scripts.keys()].slice(0, 1) : [])])
}

/** Includes the scripts that those scripts call. */
function reachedBy(commands: readonly string[], scripts: Scripts): Set<string> {
  const names = calledBy(commands, scripts)
  for (let depth = 0; depth < 3; depth += 1) {
    for (const name of calledBy(
      [...names].flatMap((each) => scripts.get(each) ?? []),
      scripts,
    ))
      names.add(name)
  }
  return names
}

function fromJson(path: string, text: string | null): Scripts {
  const prefix = /^(?:scripts|tasks)\./
  const scripts = [...readSettings(path, text)].filter(([key]) => prefix.test(key))
  return new Map(scripts.map(([key, values]) => [key.replace(prefix, ''), values.join(' && ')]))
}

function fromMakefile(text: string | null): Scripts {
  const scripts = new Map<string, string[]>()
  let name = ''
  for (const line of (text ?? '').slice(0, 200_000).split('\n')) {
    const head = /^([\w./-]{1,200})(?:\s[^:=]{0,200})?::?(?!=)\s*([^=]*)$/.exec(line)
    if (/^[ \t]+\S/.test(line))
      scripts.get(name)?.push(
        line
          .trim()
          .replace(/^@/, '')
          .replace(/^-(?=\S)/, '|| true ; '),
      )
    else if (head !== null && !line.startsWith('#')) {
      name = head[1]?.trim() ?? ''
      scripts.set(
        name,
        (head[2] ?? '')
          .trim()
          .split(/\s+/)
          .filter(Boolean)
          .map((need) => `make ${need}`),
      )
    }
  }
  return new Map([...scripts].map(([target, lines]) => [target, lines.join(' && ')]))
}

function compareNamed(path: string, before: Scripts, after: Scripts, checked: ReadonlySet<string>): TamperFinding[] {
  const findings: TamperFinding[] = []
  for (const [name, command] of before) {
    if (!(checking.test(name) || checked.has(name)) || (/\bexit 1\b/.test(command) && purposesOf(command).size === 0))
      continue
    const was = resolve(command, before)
    const own = after.get(name)
    if (own === command && resolve(own, after) === was) continue
    if (own === undefined) {
      const purposes = [...purposesOf(was)]
      const taken = [...after.values()].some((other) => {
        const now = purposesOf(resolve(other, after))
        return other === command || (purposes.length > 0 && purposes.every((purpose) => now.has(purpose)))
      })
      if (!taken) findings.push(finding('check-changed', path, null, `script ${name} is gone: ${command}`))
      continue
    }
    const now = resolve(own, after)
    const why = weakerCommand(was, now) ?? (checked.has(name) ? lostStep(was, now) : null)
    // A script that only calls another one is not a second finding.
    const isReported = own === command && findings.some(({ detail }) => detail.endsWith(why ?? ''))
    if (why !== null && !isReported) findings.push(finding('check-changed', path, null, `script ${name}: ${why}`))
  }
  return findings
}

const installing = /^(?:preinstall|install|postinstall|prepare)$/

/**
 * Compares the scripts that package managers run automatically, with a script that a check calls or during install:
 * they could change what the check sees.
 */
function compareHooks(path: string, before: Scripts, after: Scripts, checked: ReadonlySet<string>): TamperFinding[] {
  const stepsOf = (scripts: Scripts): string[] =>
    [...scripts.values()].flatMap((command) => segments(resolve(command, scripts)))
  const known = new Set(stepsOf(before))
  return [...after].flatMap(([name, command]) => {
    const script = /^(?:pre|post)(.+)$/.exec(name)?.[1] ?? ''
    const runs = installing.test(name) || (before.has(script) && (script === 'test' || checked.has(script)))
    if (!runs || before.get(name) === command) return []
    const mine = new Set(segments(resolve(before.get(name) ?? '', before)))
    const step = segments(resolve(command, after)).find((each) => !mine.has(each) && !isHarmless(each, known))
    return step === undefined
      ? []
      : [finding('check-changed', path, null, `script ${name}, which runs by itself, now has ${step}`)]
  })
}

const call =
  /(?:\b(?:npm|yarn|pnpm|bun|composer|make|just)|\$\(MAKE\))(?: run(?:-script)?| -s){0,2} ([\w:.-]{1,80})(?: --(?= ))?/g

/** `pnpm run /^test:/` runs every script whose name matches. */
const matching = /\bpnpm(?: run| -s){1,2} (?:\\?["'])?\/(\^)?([\w:-]{1,80})(?:\.\*)?\$?\/(?:\\?["'])?/g

/** Expands the scripts that a command calls. */
function resolve(command: string, scripts: Scripts, depth = 0): string {
  if (depth > 3) return command
  return command
    .slice(0, 4000)
    .replace(call, (whole, name: string) => {
      const inner = scripts.get(name)
      return inner === undefined ? whole : resolve(inner, scripts, depth + 1)
    })
    .slice(0, 8000)
    .replace(matching, (whole, start: string | undefined, name: string) => {
      const inner = [...scripts].filter(([each]) => (start ? each.startsWith(name) : each.includes(name)))
      return inner.length === 0 ? whole : inner.map(([, each]) => resolve(each, scripts, depth + 1)).join(' && ')
    })
    .slice(0, 8000)
    .replace(/\b(?:run-s|run-p|npm-run-all2?)((?: [\w:.-]{1,80})+)/g, (whole, names: string) => {
      const inner = names
        .trim()
        .split(' ')
        .flatMap((name) => scripts.get(name) ?? [])
      return inner.length === 0 ? whole : inner.map((each) => resolve(each, scripts, depth + 1)).join(' && ')
    })
    .slice(0, 8000)
}

function compareShell(path: string, before: string, after: string | null): TamperFinding[] {
  const plain = (text: string): string =>
    text
      .slice(0, 20_000)
      .replace(/^\s*#.*$/gm, '')
      .trim()
  const why = weakerCommand(plain(before), after === null ? '' : plain(after))
  return why === null ? [] : [finding('check-changed', path, null, why)]
}

/** Finds settings of test runners, linters and compilers that became weaker. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'
import { either } from '../pattern.ts'
import { weakerCommand } from './commands.ts'
import type { SettingRule, Weaker } from './setting-rules.ts'
import { settingRules } from './setting-rules.ts'
import type { Settings } from './settings.ts'
import { readSettings } from './settings.ts'

interface Side {
  path: string
  before: Settings
  after: Settings
}

export function compareSettings(changed: readonly ChangedFile[]): TamperFinding[] {
  const relevant = changed.filter(({ path }) => settingRules.some(({ files }) => files.test(path)))
  const sides = relevant.map((file): Side => {
    const { path } = file
    return { path, before: readSettings(path, file.before), after: readSettings(path, file.after) }
  })
  return sides.flatMap((side) =>
    settingRules.filter(({ files }) => files.test(side.path)).flatMap((rule) => compare(rule, side, sides)),
  )
}

const manifest = /(?:^|\/)package\.json$/
/** A manifest has keys of the same name that configure no runner, such as `publishConfig.ignore`. */
const runners = 'jest|vitest|mocha|ava|nyc|c8|tap|karma|cypress|bun|jasmine'
const ofTools = new RegExp(`^(?:${runners}|eslint(?:Config|Ignore)|xo|standard|stylelint|biome)\\b`)

/** Lists of what is left out of a build, a package, a dev server or a spelling check, not out of a check of code. */
const ofPackaging = either(
  /^package\.exclude$/,
  /(?:^|\.)(?:server|watch|watcher|optimizeDeps|ssr|build|worker|preview|esbuild|css|publish|release|typedoc)\./,
  /^tool\.(?:hatch|setuptools|poetry|pdm|flit|maturin|scikit-build|cibuildwheel)\./,
  /^tool\.(?:codespell|typos|check-manifest|towncrier|bumpversion|semantic_release|commitizen)\./,
)
const isBeside = (key: string): boolean => ofPackaging.test(key) && !/(?:^|\.)test\./.test(key)

function compare(rule: SettingRule, { path, before, after }: Side, sides: readonly Side[]): TamperFinding[] {
  const isOfTool = (key: string): boolean =>
    manifest.test(path) ? ofTools.test(key) : rule.weaker !== 'grown' || !isBeside(key)
  const keys = new Set([...before.keys(), ...after.keys()].filter((key) => rule.key.test(key) && isOfTool(key)))
  return [...keys].slice(0, 500).flatMap((key) => {
    // A setting may move to another file, below other keys.
    const was = before.get(key) ?? moved(rule, key, sides, 'before', 'after')
    const is = after.get(key) ?? moved(rule, key, sides, 'after', 'before')
    const why = weaker[rule.weaker](was, is, key)
    return why === null ? [] : [finding(rule.kind, path, null, `${key}: ${why}`)]
  })
}

type When = 'before' | 'after'
/** Returns the value of the same setting under another key that only this side has. */
function moved(rule: SettingRule, key: string, sides: readonly Side[], here: When, there: When): string[] | null {
  if (rule.weaker === 'shrunk') return null
  const last = key.slice(key.lastIndexOf('.') + 1)
  for (const side of sides) {
    const rules = settingRules.filter(
      (each) => each.kind === rule.kind && each.weaker === rule.weaker && each.files.test(side.path),
    )
    const ruled = (other: string): boolean => rules.some((each) => each.key.test(other))
    const found = [...side[here]].find(
      ([other]) => `.${other}`.endsWith(`.${last}`) && !side[there].has(other) && ruled(other),
    )
    if (found !== undefined) return found[1]
  }
  return null
}

/** Whether runners search for tests there by default. */
const isUsual = (entry: string): boolean => /tests?\b|spec|^Test|^\*|^\.$|^src/i.test(entry)
/** Settings that are on by default, or through another setting. */
const ofStrict = String.raw`strict|strict\w+|noImplicitAny|noImplicitThis|alwaysStrict|useUnknownInCatchVariables`
const unless = new RegExp(String.raw`(?:${ofStrict}|Enabled|enabled|\.test|\.harness)$`)

type Judge = (was: string[] | null, is: string[] | null, key: string) => string | null

const say = (values: string[] | null): string => (values === null ? 'nothing' : values.join(', ').slice(0, 80))
const number = (values: string[] | null): number => Number((values?.[0] ?? '').replace(/%$/, '').trim() || Number.NaN)
const isOn = (values: string[] | null): boolean => !/^(?:false|0|no|off|undefined|null|)$/i.test(values?.[0] ?? '')
/** Build output may be excluded from anything. */
const leftovers = new RegExp(
  [
    'node_modules',
    'docs?',
    'website',
    String.raw`(?:dist|build|out)(?:[.-]\w+)?`,
    'target',
    'coverage',
    'vendor',
    'tmp',
    'venv',
    '__pycache__',
    'lib',
    'es',
    String.raw`\.[\w-]+`,
    String.raw`[\w-]+\.egg-info`,
  ]
    .map((name) => `^${name}$`)
    .join('|'),
)
export const isInnocent = (entry: string): boolean =>
  leftovers.test(entry.replace(/^(?:\*\*\/|\.?\/|<rootDir>\/)+/, '').replace(/[/*]+$/, ''))
const severity = (values: string[] | null): number => {
  const word = values?.[0]?.replace(/[[\s"']/g, '').split(',')[0] ?? ''
  return word === 'off' || word === '0' || word === 'none'
    ? 0
    : word === 'warn' || word === '1' || word === 'info'
      ? 1
      : 2
}

const weaker: Readonly<Record<Weaker, Judge>> = {
  lower: (was, is) => {
    const [before, after] = [number(was), number(is)]
    if (Number.isNaN(before)) return null
    if (before < 0) return after < before || Number.isNaN(after) ? `${say(was)} → ${say(is)}` : null
    return Number.isNaN(after) || after < before ? `${say(was)} → ${say(is)}` : null
  },
  higher: (was, is) =>
    number(was) < number(is) || (!Number.isNaN(number(was)) && is === null) ? `${say(was)} → ${say(is)}` : null,
  grown: (was, is) => {
    const known = new Set(was)
    const added = (is ?? []).filter((entry) => !known.has(entry) && !isInnocent(entry) && /[\w*]/.test(entry))
    const replaced = (was ?? []).filter((entry) => !(is ?? []).includes(entry)).length
    return added.length > replaced ? `now leaves out ${added.slice(0, 3).join(', ')}` : null
  },
  raised: (was, is) => ((number(was) || 0) < number(is) ? `${say(was)} → ${say(is)}` : null),
  shrunk: (was, is, key) => {
    const collecting = /pytest.*\.(?:testpaths|python_\w+)$/.test(key)
    if (was === null && is !== null) return collecting && !is.some(isUsual) ? `now only looks at ${say(is)}` : null
    if (was === null || is === null) return null
    const come = is.filter((entry) => !was.includes(entry))
    const narrower = (entry: string): boolean =>
      entry.includes('**') && come.length > 0 && come.every((each) => !each.includes('**'))
    const narrowed = was.find((entry) => !is.includes(entry) && narrower(entry))
    if (narrowed !== undefined && !is.some((entry) => entry.includes('**'))) return `${narrowed} → ${say(come)}`
    const gone = was.filter((entry) => !is.includes(entry))
    return gone.length > 0 && is.length < was.length ? `no longer has ${gone.slice(0, 3).join(', ')}` : null
  },
  off: (was, is, key) => {
    if (isOn(was) && !isOn(is)) return `${say(was)} → ${say(is)}`
    return was === null && is !== null && !isOn(is) && unless.test(key) ? `nothing → ${say(is)}` : null
  },
  on: (was, is) => (!isOn(was) && isOn(is) ? `${say(was)} → ${say(is)}` : null),
  severity: (was, is, key) => {
    if (is === null || /\.rules\..*\.options|\.rules\.recommended$/.test(key)) return null
    return severity(is) < severity(was) ? `${was === null ? 'not set' : say(was)} → ${say(is)}` : null
  },
  command: (was, is) => {
    if (was === null && is === null) return null
    return weakerCommand((was ?? []).join(' ; '), (is ?? []).join(' ; '), 'options')
  },
}

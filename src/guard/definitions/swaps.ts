/** Finds settings and setup files that replace a tested module, or `expect` itself, for all tests. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'
import { either } from '../pattern.ts'
import { runner, settings } from './setting-rules.ts'
import { readSettings, type Settings } from './settings.ts'

/** Runner configurations at the root; they are read even when they did not change. */
export const runnerFiles: readonly string[] = ['vitest.config', 'vite.config', 'jest.config'].flatMap((name) =>
  ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs', 'json'].map((ending) => `${name}.${ending}`),
)

interface Side {
  path: string
  before: Settings
  after: Settings
}

/** `given` includes files that did not change. */
export function compareSwaps(given: readonly ChangedFile[]): TamperFinding[] {
  const sides = given
    .filter(({ path }) => runner.test(path))
    .map(({ path, before, after }): Side => ({
      path,
      before: readSettings(path, before),
      after: readSettings(path, after),
    }))
  const known = new Map(sides.flatMap(({ before }) => [...aliasesIn(before)]))
  const aliases = sides.flatMap(({ path, after }) =>
    [...aliasesIn(after)].flatMap(([name, target]) => {
      if (known.get(name) === target || !swaps(name, target)) return []
      return [
        finding(
          'check-changed',
          path,
          null,
          `${name} is another module for all tests: ${known.get(name) ?? 'nothing'} → ${target}`,
        ),
      ]
    }),
  )
  return [...aliases, ...compareLoaded(given, sides)]
}

const aliasing = /^(?:.*?\.)?(?:alias|moduleNameMapper)\.(.+)$/

/** Maps each alias to its target. */
function aliasesIn(read: Settings): Map<string, string> {
  const aliases = new Map<string, string>()
  const finds: string[] = []
  const replacements: string[] = []
  for (const [key, values] of read) {
    const name = aliasing.exec(key)?.[1]
    if (name === 'find') finds.push(...values)
    else if (name === 'replacement') replacements.push(...values)
    else if (name !== undefined) aliases.set(name, targetOf(values.at(-1) ?? ''))
  }
  finds.forEach((name, index) => aliases.set(name.replace(/^'(.*)'$/, '$1'), targetOf(replacements[index] ?? '')))
  return aliases
}

/** Takes the literals out of an expression such as `path.resolve(__dirname, 'src')`. */
const targetOf = (value: string): string => value.match(/(?<=['"`])[^'"`\s]+(?=['"`])/g)?.join('/') ?? value

const assets = either(
  /\.[(?:|\w]*\b(?:css|s[ac]ss|less|styl|svg|png|jpe?g|gif|webp|ico|ttf|woff2?|eot|mp[34])\b/,
  /\.[(?:|\w]*\b(?:md|graphql|gql|html|txt|wasm)\b/,
)
const pretended = /(?:^|[^a-z])(?:mock|fake|stub|dummy|dummies|double)(?:s|ed)?(?:$|[^a-z])/i
const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')

/** Whether an alias leads a module of the repository elsewhere than its name says. Packages may be replaced. */
function swaps(name: string, target: string): boolean {
  const plain = name.replace(/^\/?\^?/, '').replaceAll('\\', '')
  if (assets.test(plain) || /^\$\d(?:\.\w+)?$/.test(target)) return false
  const literal = plain.split(/[(*[$|+{]|\.[*+]/)[0] ?? ''
  const prefixed = /^[@~#][\w-]{0,20}(?:\/|$)/.test(plain)
  const module = /^[@~#]\/\w|^\$\w+\/\w/.test(plain)
  const own = module || literal === '' || /^(?:\.{0,2}\/|<rootDir>|(?:src|lib|app)\/)/.test(literal)
  if (!own) return prefixed && !/^@[\w-]+\/\w/.test(plain) && pretended.test(target)
  if (literal !== '' && target.includes(literal.replace(/^\.?\//, '')) && !pretended.test(target)) return false
  return !(module && baseOf(literal) === baseOf(target) && !pretended.test(target))
}

const loading = settings('setupFiles setupFilesAfterEnv globalSetup require preload')
const swapping = either(
  /\b(?:vi|jest|mock)\.(?:mock|doMock|unstable_mockModule|setMock|module)\(\s*['"`](?:\.{0,2}\/|[@~#]\/)/,
  /\b(?:globalThis|global|window)\.(?:expect|it|test|describe|assert)\s*=(?!=)/,
  /\bprocess\.(?:exit\(\s*0?\s*\)|exitCode\s*=\s*0\b|on\(\s*['"](?:exit|uncaughtException|unhandledRejection))/,
)

/** Compares the files that are loaded before all tests. */
function compareLoaded(given: readonly ChangedFile[], sides: readonly Side[]): TamperFinding[] {
  const entries = sides.flatMap(({ after }) =>
    [...after].flatMap(([key, values]) => (loading.test(key) ? values.map(targetOf) : [])),
  )
  const names = entries
    .map((entry) => entry.replace(/^(?:<rootDir>|\.{0,2})\//, '').replace(/\.\w+$/, ''))
    .filter(Boolean)
  return given.flatMap(({ path, before, after }) => {
    const bare = `/${path.replace(/\.\w+$/, '')}`
    if (before === after || !names.some((name) => bare.endsWith(`/${name}`))) return []
    const known = new Set((before ?? '').split('\n').map((line) => line.trim()))
    const line = (after ?? '')
      .slice(0, 400_000)
      .split('\n')
      .map((each) => each.slice(0, 500).trim())
      .find((each) => swapping.test(each) && !known.has(each))
    return line === undefined
      ? []
      : [finding('check-changed', path, null, `is loaded before all tests, and now has ${line}`)]
  })
}

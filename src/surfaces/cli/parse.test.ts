import { describe, expect, test } from 'vitest'
import { settingFlags } from '../../app/settings/setting-flags.ts'
import { catalog, runEntry } from './catalog.ts'
import { define, type Definition } from './definition.ts'
import { parse, type Parsed } from './parse.ts'
import { readArguments } from './read-arguments.ts'

const calls = [
  [],
  ['7'],
  ['auth'],
  ['--json'],
  ['7', '--json'],
  ['--json', '7'],
  ['--json', '--json'],
  ['7', '8'],
  ['--debug'],
  ['-C', 'x'],
  ['--'],
  ['-'],
  [''],
]

const parsed = (definition: Definition, args: readonly string[]): Parsed | string | null => {
  try {
    return parse(definition, readArguments(definition.options, args))
  } catch (error) {
    return String(error)
  }
}

describe.each(catalog)('$name', (entry) => {
  test.each(calls.map((args) => [args]))(
    '%j is read without the settings as with them, or not at all',
    async (args) => {
      const { command: spec } = await entry.load()
      const own = define(entry, spec)
      if (readArguments(own.options, args).unknown.length > 0) return
      expect(parsed(own, args)).toEqual(parsed(define(entry, spec, spec.settings?.(settingFlags.table)), args))
    },
  )
})

/** The options of usual calls. */
const usual: Readonly<Record<string, readonly string[]>> = {
  run: ['--json'],
  status: ['--json'],
  runs: ['--json'],
  ls: ['--json'],
  report: [],
  'pipeline ls': ['--json'],
  'pipeline lint': ['--json'],
  replay: ['--json', '--files'],
  validate: ['--json'],
  fmt: ['--write', '--check', '--diff'],
  'config get': ['x', '--json'],
  'config path': ['--json'],
  version: [],
}

test.each(Object.entries(usual))('%s %j is read without the settings', async (name, args) => {
  const entry = catalog.find((each) => each.name === name)
  const { command: spec } = (await entry?.load()) ?? { command: null }
  if (entry === undefined || spec === null) throw new Error(`there is no command ${name}`)
  const definition = define(entry, spec)
  expect(readArguments(definition.options, args).unknown).toEqual([])
  expect(parsed(definition, args)).toMatchObject({
    args: args.filter((arg) => !arg.startsWith('-')),
    options: Object.fromEntries(args.filter((arg) => arg.startsWith('-')).map((arg) => [arg.slice(2), true])),
  })
})

test('options of the configuration are not known without the table of settings', async () => {
  const { command: spec } = await runEntry.load()
  const args = ['--agent', 'x', 'do it']
  expect(readArguments(define(runEntry, spec).options, args).unknown).toEqual(['--agent'])
  expect(parsed(define(runEntry, spec, spec.settings?.(settingFlags.table)), args)).toEqual({
    args: ['do it'],
    options: { agent: 'x' },
  })
})

describe('a definition', () => {
  const entry = { name: 'x', summary: 'tries things' }
  const definition = define(entry, {
    arguments: [
      ['<first>', 'needed'],
      ['[second]', 'not needed'],
    ],
    options: [
      ['-n, --lines <n>', 'a number'],
      ['--linux', 'another close name'],
      ['--check <command>', 'a list', { list: true }],
      ['--after <tasks...>', 'several'],
      ['--claude [list]', 'maybe with a value'],
      ['--no-wait', 'a negation'],
      ['--dry-run', 'a switch', { conflicts: 'lines' }],
      ['--secret', 'hidden', { hidden: true }],
      ['--secrets', 'a close name'],
    ],
  })

  test.each<[string, Record<string, unknown>]>([
    ['a', {}],
    ['a -n 5', { lines: '5' }],
    ['a -n 5 -n 6', { lines: '6' }],
    ['a --check x --check=y', { check: ['x', 'y'] }],
    ['a --after x y --after z', { after: ['x', 'y', 'z'] }],
    ['--claude x a', { claude: 'x' }],
    ['a --claude', { claude: true }],
    ['a --no-wait --dry-run', { wait: false, dryRun: true }],
    ['a --no-color -C there', { color: false, C: 'there' }],
    ['a --secret', { secret: true }],
  ])('%s', (line, options) => expect(parsed(definition, line.split(' '))).toEqual({ args: ['a'], options }))

  test.each([
    ['', `missing required argument 'first'`],
    ['a b c', 'too many arguments. Expected 2 arguments but got 3.'],
    ['a -n', `option '-n, --lines <n>' argument missing`],
    ['a --help -n', `option '-n, --lines <n>' argument missing`],
    ['a --dry-run -n 5', `option '--dry-run' cannot be used with option '-n, --lines <n>'`],
    ['a --dry-run=5', `unknown option '--dry-run=5'`],
    ['a --linse 3', `unknown option '--linse'`],
    ['a -x', `unknown option '-x'`],
  ])('%s is refused', (line, message) => {
    expect(parsed(definition, line.split(' ').filter(Boolean))).toBe(`LooperError: ${message}`)
  })

  test.each([
    ['--linse', 'Did you mean --lines?'],
    ['--scret', 'Did you mean --secrets?'],
    ['--chexk', 'Did you mean --check?'],
    ['--lin', 'Did you mean one of --lines, --linux?'],
    ['--nothing-like-it', 'Run `looper --help`.'],
    ['-z', 'Run `looper --help`.'],
  ])('%s: %s', (word, hint) => {
    const refuse = (): unknown => parse(definition, readArguments(definition.options, ['a', word]))
    expect(refuse).toThrow(expect.objectContaining({ hint }))
  })

  test.each(['--help', 'a b c d -h', '--bogus --help', '-nh --help'])('%s asks for help', (line) =>
    expect(parsed(definition, line.split(' '))).toBeNull(),
  )
})

/** The architecture, executable: which layer may import which, what must stay pure, and how long a file may get. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { files, importedFiles, importsOf, root, source, testFiles } from './sources.ts'

/** From the bottom up. Imports point down only; folders of one layer do not know each other. */
const layers: readonly (readonly string[])[] = [
  ['model'],
  ['core', 'views', 'platform', 'schema'],
  [
    'config',
    'journal',
    'agents',
    'workspace',
    'checks',
    'context',
    'guard',
    'replay',
    'sources',
    'pipelines',
    'discovery',
  ],
  ['dispatch'],
  ['engine', 'site', 'logs'],
  ['api', 'simulation', 'model-server'],
  ['app'],
  ['surfaces'],
  ['main.ts', 'testing.ts'],
  ['index.ts'],
]

/** Folders that know less than their layer would allow. */
const knowing: Readonly<Record<string, readonly string[]>> = {
  // Of use without the rest.
  'model-server': ['model', 'platform'],
  // The world is known only through the ports: where files are and how processes start is the site's business.
  engine: ['model', 'core'],
  // What surfaces see of Looper: types, and the model's own words.
  api: ['model', 'views'],
  // A second surface needs nothing that the first one does not have.
  surfaces: ['api', 'views'],
}

/** Packages a folder may use besides node's own. */
const packages: Readonly<Record<string, readonly string[]>> = {
  model: ['zod'],
  platform: ['yaml'],
  agents: ['yaml', 'zod'],
  pipelines: ['yaml'],
}

const pure = ['model', 'schema', 'core', 'views', 'replay', 'guard']
const impure: readonly [string, RegExp][] = [
  ['node modules', /from '(?:node:|fs|path|child_process)/],
  ['the clock', /\bDate\.now\b|new Date\(\)|performance\.now/],
  ['chance', /Math\.random|randomUUID|randomBytes/],
  ['timers', /\bset(?:Timeout|Interval|Immediate)\(/],
  ['process globals', /\bprocess\./],
]

const longest = 300
const widest = 120

const folderOf = (file: string): string => relative(source, file).split('/')[0] as string
const layerOf = (folder: string): number => layers.findIndex((names) => names.includes(folder))

describe('layers', () => {
  test('every folder has its place', () => {
    expect(readdirSync(source).filter((name) => layerOf(name) < 0)).toEqual([])
  })

  test('imports point downwards, and siblings do not know each other', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith('.'))
        .flatMap((target) => {
          const [from, to] = [folderOf(file), folderOf(resolve(dirname(file), target))]
          const allowed = from === to || (knowing[from]?.includes(to) ?? layerOf(to) < layerOf(from))
          return allowed ? [] : [`${relative(root, file)} imports ${target}`]
        }),
    )
    expect(wrong).toEqual([])
  })

  test('surfaces know only api/ and views/, and nothing below a surface knows one', () => {
    const between = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith('.'))
        .map((target) => [folderOf(file), folderOf(resolve(dirname(file), target))] as const)
        .filter(([from, to]) => from !== to),
    )
    const known = between.filter(([from]) => from === 'surfaces').map(([, to]) => to)
    expect([...new Set(known)].toSorted()).toEqual(['api', 'views'])
    const knownBy = between.filter(([, to]) => to === 'surfaces').map(([from]) => from)
    expect([...new Set(knownBy)]).toEqual(['main.ts'])
  })

  test('one loop concludes until nothing new follows; replay and the laws call decide in their own way', () => {
    const decide = join(source, 'core/decide.ts')
    const importers = files.filter((file) => importedFiles(file).includes(decide))
    const expected = ['core/conclude-until-quiet.ts', 'index.ts', 'replay/replay.ts', 'simulation/checkers/journal.ts']
    expect(importers.map((file) => relative(source, file)).toSorted()).toEqual(expected)
  })

  test('the core sets fields with setFields, because Object.assign checks no type', () => {
    const wrong = files.filter(
      (file) => folderOf(file) === 'core' && readFileSync(file, 'utf8').includes('Object.assign('),
    )
    expect(wrong.map((file) => relative(root, file))).toEqual([])
  })

  test('api/ has types and names of the model, and no code of its own', () => {
    const code = files
      .filter((file) => folderOf(file) === 'api')
      .filter((file) => /^(?:export )?(?:async )?(?:function|const|let|class)\b/m.test(readFileSync(file, 'utf8')))
    expect(code.map((file) => relative(root, file))).toEqual([])
  })

  test('the ports of the engine are declared once, in model/ports.ts', () => {
    const declared = (file: string): string[] =>
      [...readFileSync(file, 'utf8').matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)].map(
        ([, name]) => name as string,
      )
    const isHome = (file: string): boolean => /^model\/ports(?:\.ts$|\/)/.test(relative(source, file))
    const ports = files.filter(isHome).flatMap(declared)
    expect(ports).toEqual(expect.arrayContaining(['Journal', 'Snapshots', 'Inbox', 'RunStore', 'Site', 'Clock']))
    const again = files
      .filter((file) => !isHome(file))
      .flatMap((file) =>
        declared(file)
          .filter((name) => ports.includes(name))
          .map((name) => `${relative(root, file)} declares ${name}`),
      )
    expect(again).toEqual([])
  })

  test('packages are used only where they are at home', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('.') && !target.startsWith('node:'))
        .filter((target) => !(packages[folderOf(file)] ?? []).includes(target))
        .map((target) => `${relative(root, file)} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('purity', () => {
  test.each(impure)('model/, schema/, core/, views/, replay/ and guard/ know nothing of %s', (_what, pattern) => {
    const wrong = files.filter((file) => pure.includes(folderOf(file)) && pattern.test(readFileSync(file, 'utf8')))
    expect(wrong.map((file) => relative(root, file))).toEqual([])
  })
})

describe('size and place', () => {
  test(`no file is longer than ${longest} lines`, () => {
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > longest)
    expect(long.map((file) => relative(root, file))).toEqual([])
  })

  test(`no test file is longer than ${longest} lines`, () => {
    const long = testFiles.filter((file) => readFileSync(file, 'utf8').split('\n').length - 1 > longest)
    expect(long.map((file) => relative(root, file))).toEqual([])
  })

  test(`no line is longer than ${widest} characters`, () => {
    const wide = files.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.length > widest ? [`${relative(root, file)}:${index + 1}`] : [])),
    )
    expect(wide).toEqual([])
  })

  test('the median file has at most 70 lines', () => {
    const sizes = files.map((file) => readFileSync(file, 'utf8').split('\n').length).toSorted((a, b) => a - b)
    expect(sizes[sizes.length >> 1]).toBeLessThanOrEqual(70)
  })

  test('ARCHITECTURE.md names every folder', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const folders = readdirSync(source).filter((name) => statSync(join(source, name)).isDirectory())
    expect(folders.filter((name) => !text.includes(`${name}/`))).toEqual([])
  })

  test('every path in ARCHITECTURE.md exists', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const named = [...text.matchAll(/`((?:[\w-]+\/)+[\w-]+\.(?:test\.)?(?:ts|js|cjs))`/g)].map(
      ([, path]) => path as string,
    )
    const places = [root, source, ...readdirSync(source).map((name) => join(source, name))]
    expect(named.filter((path) => !places.some((place) => existsSync(join(place, path))))).toEqual([])
  })

  test('every file says in its first lines why it exists', () => {
    const silent = files.filter((file) => !/^(?:#!.*\n)?\/\*\*|^\/\//.test(readFileSync(file, 'utf8')))
    expect(silent.map((file) => relative(root, file))).toEqual([])
  })
})

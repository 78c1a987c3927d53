import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseConfig, checkExit, limits, play, planOf, type World } from '../../../test/kit/play.ts'
import type { CheckConfig } from '../../model/config.ts'
import { matchesPath } from './path-glob.ts'
import { checksFor } from './checks.ts'
import { touchedChecks } from './touched-checks.ts'

const plan = (checks: CheckConfig[]) => checksFor({ config: { checks } }, null)
const hashes = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, 'x']))
const checks: CheckConfig[] = [
  { name: 'a', run: 'test a', paths: ['packages/a', 'packages/shared'] },
  { name: 'b', run: 'test b', paths: ['packages/b/**/*.ts', 'packages/shared'] },
  { name: 'lint', run: 'lint' },
]

describe('G3: the checks of a change', () => {
  test.each([
    ['a file of one package', ['packages/a/src/x.ts'], ['a', 'lint']],
    ['a file that both use', ['packages/shared/x.ts'], ['a', 'b', 'lint']],
    ['files of both', ['packages/a/x.ts', 'packages/b/x.ts'], ['a', 'b', 'lint']],
    ['a file beside all packages', ['packages/a/x.ts', 'package.json'], ['a', 'b', 'lint']],
    ['a folder with a similar name', ['packages/ab/x.ts'], ['a', 'b', 'lint']],
    ['a file of a package that no glob names', ['packages/b/readme.md'], ['a', 'b', 'lint']],
    ['nothing', [], ['a', 'b', 'lint']],
  ])('%s', (_, changed, expected) =>
    expect(touchedChecks(plan(checks), hashes(changed)).map(({ name }) => name)).toEqual(expected),
  )

  test('none is lost: one that is left out names paths, and every changed file is named by one that runs', () => {
    const folder = fc.constantFrom('p/a', 'p/b', 'p/c', 'docs', 'p/a/inner')
    const some = fc.array(fc.record({ paths: fc.option(fc.array(folder, { maxLength: 2 }), { nil: undefined }) }), {
      minLength: 1,
      maxLength: 4,
    })
    const files = fc.array(fc.tuple(folder, fc.constantFrom('x.ts', 'y/z.ts')).map(([at, name]) => `${at}/${name}`))
    fc.assert(
      fc.property(some, files, (given, changed) => {
        const all = plan(
          given.map(({ paths }, nth) => ({ name: `c${nth}`, run: 'x', ...(paths === undefined ? {} : { paths }) })),
        )
        const run = touchedChecks(all, hashes(changed))
        expect(run.length).toBeGreaterThan(0)
        for (const left of all.filter((check) => !run.includes(check))) {
          expect(changed.some((path) => left.paths?.some((glob) => matchesPath(glob, path)))).toBe(false)
          for (const path of changed)
            expect(run.some(({ paths = [] }) => paths.some((glob) => matchesPath(glob, path)))).toBe(true)
        }
      }),
    )
  })
})

describe('a run with checks of packages', () => {
  const config = baseConfig({ review: false, checks, baseline: 'off', ...limits({ attempts: 1, goalIterations: 1 }) })
  const changing =
    (path: string, isRed: (name: string) => boolean = () => false, fileCount = 1): World =>
    (work) => {
      if (work.kind === 'turn' && work.role === 'planner') return planOf([{ id: 'T001' }])
      if (work.kind === 'check') return isRed(work.name) ? checkExit(1) : undefined
      if (work.kind !== 'inspect') return undefined
      const change = { fileCount, files: [path], hashes: { [path]: 'x' } }
      return { kind: 'inspect', tree: 'tree-1', restored: false, insertions: 1, deletions: 0, ...change }
    }
  const ran = (world: World, task: string | null): string[] => [
    ...new Set(
      play(config, world)
        .of('check.finished')
        .flatMap((event) => (event.task === task ? [event.check] : [])),
    ),
  ]

  test('a task runs those of its package, and the gate runs all', () => {
    const world = changing('packages/a/x.ts')
    expect(ran(world, 'T001')).toEqual(['a', 'lint'])
    expect(ran(world, null)).toEqual(['a', 'b', 'lint'])
    const [{ evidence } = { evidence: [] }] = play(config, world).of('task.finished')
    expect(evidence.map(({ check }) => check)).toEqual(['a', 'lint'])
  })

  test('a change whose files are not all known runs all', () => {
    expect(ran(changing('packages/a/x.ts', undefined, 201), 'T001')).toEqual(['a', 'b', 'lint'])
  })

  test('a red check of another package keeps the run from being completed', () => {
    const { state } = play(
      config,
      changing('packages/a/x.ts', (name) => name === 'b'),
    )
    expect(state.status).toBe('failed')
  })
})

/** Modules that are replaced for all tests, by settings of a runner or by a file that it loads first. */
import { describe, expect, test } from 'vitest'
import type { ChangedFile } from '../../model/tamper.ts'
import { guard } from '../guard.ts'

const vitest = (text: string): ChangedFile => ({
  path: 'vitest.config.ts',
  before: 'export default defineConfig({ test: {} })',
  after: `export default defineConfig({ ${text} })`,
})
const jest = (text: string): ChangedFile => ({
  path: 'jest.config.js',
  before: 'module.exports = {}',
  after: `module.exports = { ${text} }`,
})
const config = (text: string): ChangedFile => ({ path: 'vitest.config.ts', before: text, after: text })

const swapped: [what: string, ...ChangedFile[]][] = [
  ['a module by its path', vitest("test: { alias: { './cart': './fake-cart.ts' } }")],
  [
    'as a list',
    vitest(
      "resolve: { alias: [{ find: '@', replacement: '/src' }, { find: './cart.ts', replacement: './other.ts' }] }",
    ),
  ],
  ['by a pattern', vitest('resolve: { alias: [{ find: /^.*\\/cart$/, replacement: "./other.ts" }] }')],
  ['below a prefix', vitest("resolve: { alias: { '@/cart': './test/stubs/cart.ts' } }")],
  ['all below a prefix', vitest("resolve: { alias: { '@': './fakes' } }")],
  ['a mapper', jest("moduleNameMapper: { '^\\\\./cart$': '<rootDir>/fake.js' }")],
  ['a mapper of everything', jest("moduleNameMapper: { '^(.*)/cart$': '<rootDir>/fake.js' }")],
  [
    'a mapper in package.json',
    {
      path: 'package.json',
      before: '{}',
      after: JSON.stringify({ jest: { moduleNameMapper: { '^src/(.*)$': '<rootDir>/fakes/$1' } } }),
    },
  ],
  [
    'a file loaded first',
    vitest("test: { setupFiles: ['./setup.ts'] }"),
    { path: 'setup.ts', before: null, after: "vi.mock('./src/cart.ts', () => ({ total: () => 3 }))\n" },
  ],
  [
    'a file that was loaded first',
    config("export default { test: { setupFiles: './test/setup' } }"),
    { path: 'test/setup.ts', before: "import 'x'\n", after: "import 'x'\nglobalThis.expect = () => anything\n" },
  ],
]
const honest: [what: string, ...ChangedFile[]][] = [
  ['a prefix', vitest("resolve: { alias: { '@': path.resolve(__dirname, 'src'), '~': './src', '#lib': './lib' } }")],
  [
    'a prefix as a pattern',
    jest(
      "moduleNameMapper: { '^@/(.*)$': '<rootDir>/src/$1', '^src/(.*)$': '<rootDir>/src/$1', '^~/(.*)$': '<rootDir>/$1' }",
    ),
  ],
  ['endings of modules', jest("moduleNameMapper: { '^(\\\\.{1,2}/.*)\\\\.js$': '$1' }")],
  [
    'styles and pictures',
    jest(
      "moduleNameMapper: { '\\\\.(css|less|scss)$': 'identity-obj-proxy', '^.+\\\\.svg$': '<rootDir>/test/file-mock.js' }",
    ),
  ],
  [
    'a package of the repository',
    vitest("resolve: { alias: { '@acme/cart': './packages/cart/src/index.ts', react: 'preact/compat' } }"),
  ],
  ['a module where it is', vitest("resolve: { alias: { '@/cart': './src/cart.ts' } }")],
  [
    'a file loaded first',
    vitest("test: { setupFiles: ['./setup.ts'] }"),
    { path: 'setup.ts', before: null, after: "import '@testing-library/jest-dom'\nvi.mock('some-package')\n" },
  ],
  [
    'a mock that was there',
    config("export default { test: { setupFiles: ['./setup.ts'] } }"),
    { path: 'setup.ts', before: "vi.mock('./a.ts')\n", after: "import 'x'\nvi.mock('./a.ts')\n" },
  ],
  [
    'what is not loaded first',
    config('export default { test: {} }'),
    { path: 'src/setup.ts', before: '', after: 'process.on("exit", stop)\n' },
  ],
  [
    'settings that move',
    {
      path: 'package.json',
      before: JSON.stringify({ jest: { moduleNameMapper: { './cart': './other.js' } } }),
      after: '{}',
    },
    jest("moduleNameMapper: { './cart': './other.js' }"),
  ],
]

describe('modules in the place of others (F13)', () => {
  test.each(swapped)('%s', (_what, ...changed) => {
    expect(guard.compare(changed).findings.map(({ kind, file }) => [kind, file])).toEqual([
      ['check-changed', changed.at(-1)?.path],
    ])
  })
  test.each(honest)('no alarm: %s', (_what, ...changed) => {
    expect(guard.compare(changed).findings).toEqual([])
  })
})

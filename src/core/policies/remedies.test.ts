import { expect, test } from 'vitest'
import { baseConfig } from '../../../test/kit/play.ts'
import { remediesFor } from './remedies.ts'

const texts = (run: string, subject: string): string[] => {
  const config = baseConfig({ checks: [{ name: 'test', run }] })
  const cause = { kind: 'module' as const, subject, line: '' }
  return remediesFor({ config, goal: 'x' }, 'test', run, cause).map(({ text }) => text)
}

test.each([
  ['python3 -m pytest', 'Install pytest for python3'],
  ['.venv/bin/python -m pytest', 'Install pytest for .venv/bin/python'],
  ['pytest', 'Install the package pytest'],
])('a package that %s lacks: %s', (run, first) => expect(texts(run, 'pytest')[0]).toBe(first))

test('a package that Node lacks is installed by the set-up, or added to the project', () => {
  expect(texts('npm test', 'zod').slice(0, 2)).toEqual([
    'Have the set-up install it in each workspace',
    'Add zod to the dependencies of the project, commit it, and start another run',
  ])
})

import { expect, test } from 'vitest'
import type { Failure } from '../../model/event.ts'
import type { LeftOutside } from '../../model/work.ts'
import { withOutside } from './outside.ts'

const failure = (detail: string): Failure => ({
  kind: 'check',
  summary: 'tests failed',
  detail,
  error: null,
  fingerprint: null,
})
const ignored = (path: string): LeftOutside => ({ kind: 'ignored', path, by: '.gitignore:1' })
const added: LeftOutside = { kind: 'not-fetched', path: 'libs/added' }
const sentence =
  '`libs/added/` is a submodule that Looper does not fetch; '
  + 'its files are in the checked tree only if the set-up fetches them'

test('a submodule that the check names is in the summary', () => {
  const { summary, detail } = withOutside(failure('cannot find libs/added/lib.txt'), [ignored('gen/a.js'), added])
  expect(summary).toBe(`tests failed; ${sentence}`)
  expect(detail).toMatch(/These do not land:\n- `libs\/added\/` is a submodule[^\n]*$/)
})

test('one that it does not name is listed, before ignored files', () => {
  const many = Array.from({ length: 20 }, (_, n) => ignored(`gen/${n}.js`))
  const { summary, detail } = withOutside(failure('lib.h: No such file'), [...many, added])
  expect(summary).toBe('tests failed')
  expect(detail).toContain(`These do not land:\n- ${sentence}\n- \`gen/0.js\` is ignored`)
})

test('one that it does not name is listed after what it names', () => {
  const { summary, detail } = withOutside(failure('gen/a.js is missing'), [ignored('gen/a.js'), ignored('b'), added])
  expect(summary).toBe('tests failed; `gen/a.js` is ignored by `.gitignore:1` and will not land')
  expect(detail.split('\n').slice(-2)).toEqual([
    '- `gen/a.js` is ignored by `.gitignore:1` and will not land',
    `- ${sentence}`,
  ])
})

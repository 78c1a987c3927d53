import { describe, expect, test } from 'vitest'
import { checkEnvironment } from './environment.ts'

describe('checkEnvironment', () => {
  test('keeps what it is given, but for what Looper itself inherited', () => {
    expect(checkEnvironment({ PATH: '/bin', GIT_DIR: '/y', NODE_TEST_CONTEXT: 'child' })).toEqual({
      PATH: '/bin',
      CI: 'true',
      NO_COLOR: '1',
      FORCE_COLOR: '0',
      LOOPER_INSIDE: '1',
    })
  })

  test('respects a CI that is set, and not a wish for colors', () => {
    expect(checkEnvironment({ CI: 'false', FORCE_COLOR: '3' })).toMatchObject({ CI: 'false', FORCE_COLOR: '0' })
  })
})

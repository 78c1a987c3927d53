import { describe, expect, it } from 'vitest'
import { checkEnvironment } from './environment.ts'

describe('checkEnvironment', () => {
  it('keeps the environment, but for secrets and what Looper itself inherited', () => {
    expect(checkEnvironment({ PATH: '/bin', MY_TOKEN: 'x', GIT_DIR: '/y', NODE_TEST_CONTEXT: 'child' }, ['MY_TOKEN'])).toEqual({
      PATH: '/bin', CI: 'true', NO_COLOR: '1', FORCE_COLOR: '0', LOOPER_INSIDE: '1',
    })
  })

  it('respects a CI that is set, and not a wish for colours', () => {
    expect(checkEnvironment({ CI: 'false', FORCE_COLOR: '3' }, [])).toMatchObject({ CI: 'false', FORCE_COLOR: '0' })
  })
})

import { expect, test } from 'vitest'
import { boundsOf } from './keeper-greeting.ts'

test('a keeper learns what bounds and prices a turn, and no secret', () => {
  const agents = boundsOf({
    mine: {
      command: ['sh', '--token', 'hunter22'],
      env: { KEY: 'hunter22' },
      args: ['hunter22'],
      timeoutMinutes: 1,
      stallSeconds: 2,
      maxSteps: 3,
    },
    claude: { model: 'opus', billing: 'api', prices: { opus: { input: 1, output: 2 } }, pass: ['X'] },
    unknown: {},
  })
  expect(agents).toEqual({
    mine: { type: 'command', timeoutMinutes: 1, stallSeconds: 2, maxSteps: 3 },
    claude: { type: 'claude', model: 'opus', billing: 'api', prices: { opus: { input: 1, output: 2 } } },
  })
})

import { expect, test } from 'vitest'
import { environment } from './proposal.ts'

test('a failed set-up names the command that changes it, whether or not there is a file', () => {
  expect(environment({ message: 'pip failed', hint: 'x', code: 'WORKSPACE_SETUP' }).hint).toBe(
    'Set another command: looper config set workspace.setup "<command>", then: looper resume --settings',
  )
  expect(environment({ message: 'no disk', hint: 'Free some space' }).hint).toBe('Free some space, then: looper resume')
})

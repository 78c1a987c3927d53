import { expect, test } from 'vitest'
import { environment } from '../proposal.ts'
import { setupRemedies } from './setup-remedies.ts'

const failed = (reason: string): string => `The set-up command \`x\` failed with exit code 1: ${reason}`

test.each([
  ['sh: 1: pnpm: not found', 'Install pnpm'],
  ['npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.', 'Update'],
  ['ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"', 'Update the lock file'],
  [
    'npm error FetchError: request to http://127.0.0.1:9/a failed, reason: connect ECONNREFUSED',
    'Make the package reg',
  ],
  ['npm error ERESOLVE unable to resolve dependency tree', 'Change the versions in package.json'],
  ['npm error 404 Not Found - GET https://registry.example.org/nope - Not found', 'Correct the dependency nope,'],
  ['ERROR: No matching distribution found for nope==9 | more', 'Correct the requirement nope==9,'],
  ['WARNING: Retrying … NewConnectionError: Failed to establish a new connection: [Errno -3]', 'Make the package'],
  [
    'The virtual environment was not created successfully because ensurepip is not available.',
    'Install the module venv',
  ],
  ['error: externally-managed-environment', 'Install into an environment of the project'],
  [
    'ERROR: Package requires a different Python: 3.8.1 not in >=3.11',
    'Use a Python that the project supports, not 3.8.1',
  ],
  ['it says nothing that is known', 'Set another command'],
])('%s', (reason, first) => {
  const [remedy, ...others] = setupRemedies(failed(reason))
  expect(remedy?.text).toMatch(new RegExp(`^${first.replaceAll('.', '\\.')}`))
  expect(others.at(-1)?.command).toBe("looper config set workspace.setup '[]'")
})

test('G4: the pause of a failed set-up offers them, and the first one is its hint', () => {
  const reason = environment({ message: failed('sh: 1: pnpm: not found'), code: 'WORKSPACE_SETUP' })
  expect(reason.output).toBe('sh: 1: pnpm: not found')
  expect(reason.hint).toMatch(/^Install pnpm.*looper resume.*--settings/)
  expect(reason.remedies?.map(({ command }) => command)).toContain('looper config set workspace.setup "<command>"')
  expect(environment({ message: 'no room', hint: 'Free some', code: 'WORKSPACE_GIT' }).remedies).toBeUndefined()
})

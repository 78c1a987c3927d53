import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { impatience, retryPlugin } from './retry-plugin.ts'

/** Runs the plugin as OpenCode does, in a separate process. */
function play(events: readonly unknown[], agentEnv = {}): { stdout: string; stderr: string; status: number | null } {
  const program = `const { LooperRetries } = await import('data:text/javascript,' + encodeURIComponent(process.argv[1]))
const { event } = await LooperRetries({})
for (const each of JSON.parse(process.argv[2])) await event({ event: each })
console.error(Object.keys(process.env).filter((name) => name.startsWith('npm_config_fetch')).join())`
  const args = ['--input-type=module', '-e', program, retryPlugin(agentEnv), JSON.stringify(events)]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { env: { ...impatience, ...agentEnv } })
  return { stdout: stdout.toString(), stderr: stderr.toString().trim(), status }
}

test('it prints a line for each wait, and for nothing else', () => {
  const waits = { type: 'retry', attempt: 2, message: 'Slow\ndown', next: 7 }
  const { stdout, status } = play([
    null,
    {},
    { type: 'session.idle', properties: { sessionID: 'ses_1' } },
    { type: 'session.status', properties: { sessionID: 'ses_1', status: { type: 'busy' } } },
    { type: 'session.status', properties: { sessionID: 'ses_1', status: waits } },
  ])
  expect(status).toBe(0)
  expect(stdout.endsWith('\n')).toBe(true)
  expect(JSON.parse(stdout)).toEqual({
    type: 'looper_retry',
    timestamp: expect.any(Number),
    sessionID: 'ses_1',
    attempt: 2,
    message: 'Slow\ndown',
    next: 7,
  })
})

test('it takes back what was only meant for the time until it is loaded, and nothing that the user set', () => {
  expect(play([]).stderr).toBe('')
  expect(play([], { npm_config_fetch_retries: '7' }).stderr).toBe('npm_config_fetch_retries')
})

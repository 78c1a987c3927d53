import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createProbe } from './probe.ts'

const standIn = resolve(import.meta.dirname, '../../../test/kit/acp-agent.js')
const folder = mkdtempSync(join(tmpdir(), 'looper-acp-probe-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The fake agent records its messages in the folder it is started in. */
const ask = (scenario: object, patienceMs = 60_000) =>
  createProbe(patienceMs)({
    agent: {
      acp: ['/bin/sh', '-c', `cd '${folder}' && exec "$0" "$@"`, process.execPath, standIn],
      args: [JSON.stringify(scenario)],
    },
    env: { PATH: process.env['PATH'] ?? '' },
    home: '/',
    ask: () => Promise.reject(new Error('not asked')),
  })
const silent = (words: string) => `It does not answer like an agent that speaks ACP (${words}): check its command line.`

test.each<[string, object, string | null, string[]]>([
  ['reports its version', { hello: { agentInfo: { name: 'x', version: '1.2.3-beta' } } }, '1.2.3-beta', []],
  ['reports none', {}, null, []],
  ['reports nonsense', { hello: { agentInfo: { version: '\u001b[31m' } } }, null, []],
  ['speaks another version', { hello: { protocolVersion: 7 } }, null, ['the agent speaks version 7 of ACP, not 1.']],
  ['refuses', { refuse: { initialize: { code: -32000, message: 'no entry' } } }, null, [silent('no entry')]],
  ['ends', { first: [{ complain: 'no config' }, { exit: 3 }] }, null, [silent('it ended: no config')]],
])('an agent that %s (D5)', async (_, scenario, version, problems) => {
  expect(await ask(scenario)).toEqual({ version, login: 'unknown', problems })
})

test('one that says nothing is not waited for for ever, and one that is not there not at all', async () => {
  expect((await ask({ deaf: ['initialize'] }, 500)).problems).toEqual([silent('no answer within 0.5 s')])
  const { problems } = await createProbe(60_000)({
    agent: { acp: ['/no/such/agent'] },
    env: {},
    home: '/',
    ask: () => Promise.reject(new Error('x')),
  })
  expect(problems).toEqual([silent('spawn /no/such/agent ENOENT')])
})

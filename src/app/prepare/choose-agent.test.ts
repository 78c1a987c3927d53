import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseConfig } from '../../../test/kit/play.ts'
import type { Config } from '../../model/config.ts'
import { agentsInUse, withModel, chooseAgent, entryOf } from './choose-agent.ts'
import { locateAgent, type ProgramSearch } from './locate-agent.ts'

let root: string
let search: ProgramSearch
const program = (path: string): void => {
  writeFileSync(join(root, path), '#!/bin/sh\n')
  chmodSync(join(root, path), 0o755)
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-agents-'))
  mkdirSync(join(root, 'bin'))
  search = { root, path: join(root, 'bin'), isTracked: (path) => Promise.resolve(path.startsWith('tracked')) }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const config = (changes: Partial<Config>): Config => ({ ...baseConfig(), agent: null, agents: {}, ...changes })

describe('which agent', () => {
  test('the configured one, then the first that is set up, then the installed one, else a clear refusal', async () => {
    expect(await chooseAgent(config({ agent: 'x' }), 'flag --agent', search)).toEqual({
      agent: 'x',
      from: 'flag --agent',
    })
    expect(await chooseAgent(config({ agents: { mine: { command: ['m'] } } }), 'default', search)).toEqual({
      agent: 'mine',
      from: 'the one that is configured',
    })
    expect(
      await chooseAgent(config({ agents: { mine: { command: ['m'] }, other: { command: ['o'] } } }), 'default', search),
    ).toEqual({ agent: 'mine', from: 'the first of 2 that are configured' })
    await expect(chooseAgent(config({}), 'default', search)).rejects.toMatchObject({ code: 'CONFIG_NO_AGENT' })
    program('bin/codex')
    expect(await chooseAgent(config({}), 'default', search)).toEqual({ agent: 'codex', from: 'the installed one' })
  })

  test('everyone the run may call', () => {
    const agents = { a: { fallback: ['b'] }, b: {}, c: {}, d: {} }
    expect(
      agentsInUse(
        config({ agents, roles: { planner: { agent: 'c' } }, schedule: 'round-robin', rotation: ['a', 'd'] }),
        'a',
      ),
    ).toEqual(['a', 'c', 'd', 'b'])
  })
})

describe('how it is started', () => {
  test('a known agent needs no entry; its entry may name another program, and any name another type', async () => {
    program('bin/claude')
    program('bin/mine')
    const located = (agents: Config['agents'], name: string) =>
      locateAgent(name, entryOf(config({ agents }), name), search)
    expect(await located({}, 'claude')).toEqual({ type: 'claude', bin: join(root, 'bin/claude') })
    expect(await located({ claude: { bin: 'bin/mine', model: 'opus' } }, 'claude')).toEqual({
      type: 'claude',
      bin: join(root, 'bin/mine'),
      model: 'opus',
    })
    expect(await located({ opus: { type: 'claude', model: 'opus' } }, 'opus')).toEqual({
      type: 'claude',
      bin: join(root, 'bin/claude'),
      model: 'opus',
    })
  })

  test('a type that lacks what it starts is refused with the key to add', async () => {
    await expect(locateAgent('m', { type: 'acp' }, search)).rejects.toThrow('needs "acp"')
    await expect(locateAgent('m', { type: 'command' }, search)).rejects.toThrow('needs "command"')
    await expect(locateAgent('m', { type: 'scripted' }, search)).rejects.toThrow('needs "script"')
  })

  test('files of the checkout that a worktree would lack get their full path', async () => {
    program('agent.sh')
    program('tracked.sh')
    program('bin/python3')
    writeFileSync(join(root, 'agent.py'), '')
    writeFileSync(join(root, 'tracked.py'), '')
    expect((await locateAgent('m', { command: ['./agent.sh', '-v', 'no-such-file'] }, search)).command).toEqual([
      join(root, 'agent.sh'),
      '-v',
      'no-such-file',
    ])
    expect(
      (await locateAgent('m', { command: ['./tracked.sh'] }, { ...search, isTracked: () => Promise.resolve(true) }))
        .command,
    ).toEqual(['./tracked.sh'])
    expect((await locateAgent('m', { command: ['python3', 'agent.py', 'tracked.py'] }, search)).command).toEqual([
      'python3',
      join(root, 'agent.py'),
      'tracked.py',
    ])
  })

  test.each([
    [{ command: ['missing'] }, 'does not exist'],
    [{ command: ['./agent.py'] }, 'does not exist'],
    [{}, 'does not know how to start'],
  ])('%j is refused', async (agent, message) => {
    writeFileSync(join(root, 'agent.py'), 'not executable')
    await expect(locateAgent('m', agent, search)).rejects.toThrow(message)
  })
})

describe('--model', () => {
  const agents = { claude: { model: 'haiku', tiers: ['haiku', 'opus'], args: ['-v'] }, codex: { model: 'gpt' } }
  const roles = { planner: { model: 'opus' }, tester: { agent: 'codex', model: 'mini' }, coder: { agent: 'claude' } }

  test('replaces the models and tiers of the agent in every role, and no others', () => {
    const { agents: now, roles: given } = withModel(config({ agents, roles }), 'claude', 'sonnet')
    expect(now).toEqual({ claude: { model: 'sonnet', args: ['-v'] }, codex: { model: 'gpt' } })
    expect(given).toEqual({
      planner: { model: 'sonnet' },
      tester: { agent: 'codex', model: 'mini' },
      coder: { agent: 'claude', model: 'sonnet' },
    })
  })

  test('an agent without an entry gets one; without the flag nothing changes', () => {
    expect(withModel(config({}), 'claude', 'opus').agents).toEqual({ claude: { model: 'opus' } })
    const same = config({ agents, roles })
    expect(withModel(same, 'claude', undefined)).toBe(same)
  })
})

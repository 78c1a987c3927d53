import { coders, config, lost, onBase, world } from '../../../test/kit/preflight-runs.ts'
import { describe, expect, test } from 'vitest'
import { play } from '../../../test/kit/play.ts'
import { cannotRunKinds, type CannotRun } from '../../model/cannot-run.ts'

describe('a check that cannot run on the base', () => {
  test.each(['pause', 'no-worse', 'fix-first'] as const)('pauses the run before the first coder (%s)', (baseline) => {
    const played = play(
      config({ baseline }),
      world(() => lost()),
    )
    expect(coders(played)).toEqual([])
    expect(played.state.pause).toMatchObject({
      kind: 'setup',
      detail: 'the check test (`npm test`) cannot run: the package pytest is not installed',
      preflight: 'cannot-run',
      output: 'No module named pytest',
    })
    expect(played.state.pause?.remedies?.map(({ command }) => command)).toContain("looper config set checks '[]'")
  })

  test('is run once: a missing package stays missing', () => {
    const played = play(
      config(),
      world(() => lost()),
    )
    expect(played.of('work.started').filter(({ work }) => work.kind === 'check')).toHaveLength(1)
    const busy = play(
      config(),
      world(() => lost({ kind: 'port', subject: '3000', line: 'in use' })),
    )
    expect(busy.of('work.started').filter(({ work }) => work.kind === 'check')).toHaveLength(3)
  })

  test('with the policy off no check runs there', () => {
    const played = play(
      config({ baseline: 'off' }),
      world((work) => (onBase(work) ? lost() : undefined)),
    )
    expect(played.of('baseline.taken')).toEqual([])
    expect(played.state.status).toBe('completed')
  })

  test('runs again after a resume, and the run goes on', () => {
    let isInstalled = false
    const played = play(
      config(),
      world(() => (isInstalled ? undefined : lost())),
    )
    played.resume()
    expect(played.of('run.paused')).toHaveLength(2)
    isInstalled = true
    expect(played.resume().state.status).toBe('completed')
    expect(played.of('baseline.taken').map(({ checks }) => checks[0]?.passed)).toEqual([false, false, true])
  })

  test('a resume with other settings uses them', () => {
    const played = play(
      config(),
      world((work) => ('shell' in work.run && work.run.shell === 'npm test' ? lost() : undefined)),
    )
    const { hooks, workspace } = played.state.config
    const checks = [{ name: 'unit', run: 'python3 -m unittest' }]
    played.record({
      type: 'run.resumed',
      limits: {},
      settings: { hooks, setup: workspace.setup, copy: workspace.copy, checks, baseline: 'no-worse', files: {} },
    })
    expect(played.state.config).toMatchObject({ checks, baseline: 'no-worse' })
    expect(played.resume().state.status).toBe('completed')
    expect(played.of('task.finished')[0]?.evidence).toMatchObject([{ check: 'unit' }])
  })

  test.each(cannotRunKinds)('offers remedies for the kind %s, each with a command or an action', (kind) => {
    const played = play(
      config(),
      world(() => lost({ kind, subject: 'it', line: 'it' })),
    )
    const { hint, remedies = [] } = played.state.pause ?? { hint: '' }
    expect(hint).toMatch(/looper resume/)
    expect(remedies.length).toBeGreaterThan(1)
    for (const { text, command } of remedies) {
      expect(text).toMatch(/^[A-Z]/)
      if (command !== null) expect(command).toMatch(/^looper config set (?:checks|baseline|workspace\.\w+) \S/)
    }
  })

  test('an ignored file that is in the checkout is offered for copying', () => {
    const cause: CannotRun = { kind: 'env-file', subject: '.env', line: 'no .env', inCheckout: true }
    const played = play(
      config(),
      world(() => lost(cause)),
    )
    expect(played.state.pause?.remedies?.[0]).toEqual({
      text: 'Copy .env from your checkout into each workspace',
      command: 'looper config set workspace.copy .env',
      set: { key: 'workspace.copy', value: ['.env'] },
    })
  })

  test('a variable that an ignored file or the environment of the user sets is offered from there', () => {
    const cause: CannotRun = { kind: 'variable', subject: 'DATABASE_URL', line: 'DATABASE_URL is not set' }
    const offered = (more: Partial<CannotRun>): (string | null)[] | undefined =>
      play(
        config(),
        world(() => lost({ ...cause, ...more })),
      ).state.pause?.remedies?.map(({ command }) => command)
    const value = `looper config set checks '{"name":"test","run":"npm test","env":{"DATABASE_URL":"<value>"}}'`
    expect(offered({})?.[0]).toBe(value)
    expect(offered({ setIn: '.env' })?.slice(0, 2)).toEqual(['looper config set workspace.copy .env', value])
    expect(offered({ withheld: true })?.slice(0, 2)).toEqual([
      `looper config set checks '{"name":"test","run":"npm test","pass":["DATABASE_URL"]}'`,
      value,
    ])
  })

  test('a held-out check that lacks a variable is not shown', () => {
    const played = play(
      config({ checks: [{ name: 'test', run: 'secret-command', hidden: true }] }),
      world(() => lost({ kind: 'variable', subject: 'DATABASE_URL', line: 'DATABASE_URL is not set' })),
    )
    expect(JSON.stringify(played.state.pause?.remedies)).not.toContain('secret-command')
  })

  test.each([
    ['Add tests for the parser', 'test', 'looper config set baseline off'],
    ['Add an npm script test:unit', 'test:unit', 'looper config set baseline off'],
    ['Translate the readme', 'test', null],
    ['Give it the latest look', 'test', null],
  ])('%s, and the script %s is missing: the way that fits comes first', (goal, subject, first) => {
    const played = play(
      config(),
      world(() => lost({ kind: 'target', subject, line: `Missing script: "${subject}"` })),
      { goal },
    )
    const commands = played.state.pause?.remedies?.map(({ command }) => command)
    expect(commands?.[0]).toBe(first)
    expect(commands).toContain('looper config set baseline off')
  })

  test('a missing script that a task adds: without the base the run completes', () => {
    let isAdded = false
    const played = play(
      config({ baseline: 'off' }),
      world(
        (work) => {
          isAdded ||= work.task === 'T001'
          return isAdded ? undefined : lost({ kind: 'target', subject: 'test', line: 'Missing script: "test"' })
        },
        [{ id: 'T001', title: 'Add the tests' }],
      ),
      { goal: 'Add tests' },
    )
    expect(played.state.status).toBe('completed')
  })

  test('other checks stay in the command that drops one', () => {
    const checks = [
      { name: 'test', run: 'npm test' },
      { name: 'npm run lint', run: 'npm run lint' },
    ]
    const played = play(
      config({ checks }),
      world(({ name }) => (name === 'test' ? lost() : undefined)),
    )
    expect(played.state.pause?.remedies?.at(-1)?.command).toBe("looper config set checks 'npm run lint'")
  })
})

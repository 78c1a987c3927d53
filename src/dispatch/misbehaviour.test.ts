import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AgentAdapter, AgentEvent } from '../agents/adapter.ts'
import { commandAdapter } from '../agents/command/index.ts'
import type { AgentError } from '../model/agent-error.ts'
import type { AgentConfig } from '../model/config.ts'
import { identityOf } from '../platform/process-identity.ts'
import { createFixture, shell, type Fixture } from '../../test/kit/dispatch.ts'
import type { LocalDispatchOptions } from './local.ts'

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
})
afterEach(() => fixture.clean())

const complete = `printf '{"status":"complete","summary":"done"}' > "$LOOPER_RESULT_FILE"`

describe('misbehaviour ends in the right kind, and nothing survives (D4)', () => {
  const small: Partial<LocalDispatchOptions> = { limits: { totalBytes: 1_000_000 } }
  const cases: [string, AgentConfig, object, Partial<LocalDispatchOptions>?][] = [
    ['garbage', shell(`head -c 20000 /dev/urandom; printf '{\\000\\377\\033[31m"\\n'`), { status: 'invalid' }],
    [
      'words and no answer',
      shell('echo I am done'),
      { status: 'invalid', errors: ['no JSON object was given as the answer'], text: 'I am done' },
    ],
    ['nothing at all', shell(':'), { status: 'invalid', text: '' }],
    [
      'an answer of another kind',
      shell(`echo '{"score": 5}'`),
      { status: 'invalid', errors: [expect.stringContaining("not a coder's answer")] },
    ],
    [
      'an invalid answer',
      shell(`echo '{"status":"done"}'`),
      { status: 'invalid', errors: [expect.stringContaining('status: expected one of')] },
    ],
    [
      'an invalid answer and exit 1',
      shell(`echo '{"level":"info"}'; echo no >&2; exit 1`),
      { status: 'error', error: { kind: 'crash', message: 'the agent exited with code 1: no' } },
    ],
    [
      'exit 1',
      shell('exit 1'),
      { status: 'error', error: { kind: 'crash', message: 'the agent exited with code 1', resetsAt: null } },
    ],
    [
      'death by a signal',
      shell('kill -KILL $$'),
      { status: 'error', error: { kind: 'crash', message: 'the agent was ended by SIGKILL' } },
    ],
    [
      'a named error',
      shell(`echo '{"type":"error","kind":"usage_limit","message":"wait","resetsAt":"2030-01-01T00:00:00Z"}'; exit 1`),
      { status: 'error', error: { kind: 'usage_limit', message: 'wait', resetsAt: '2030-01-01T00:00:00.000Z' } },
    ],
    [
      'a flood on stdout',
      shell('yes'),
      { status: 'error', error: { kind: 'bad_response', message: expect.stringContaining('flooded') } },
      small,
    ],
    ['a flood on stderr', shell('yes >&2'), { status: 'error', error: { kind: 'bad_response' } }, small],
    [
      'a flood in one line',
      { command: ['node', '-e', 'for(;;) require("fs").writeSync(1, "x".repeat(65536))'] },
      { status: 'error', error: { kind: 'bad_response' } },
      small,
    ],
    [
      'silence',
      shell('sleep 60', { stallSeconds: 0.1 }),
      { status: 'error', error: { kind: 'stalled', message: 'the agent printed nothing for 0.1 s' } },
    ],
    [
      'taking too long',
      shell('while :; do echo tick; sleep 0.02; done', { timeoutMinutes: 0.005, stallSeconds: 60 }),
      { status: 'error', error: { kind: 'timeout' } },
    ],
    [
      'ignoring every polite signal',
      shell(`trap '' INT TERM HUP; while :; do sleep 0.05; done`, { stallSeconds: 0.1 }),
      { status: 'error', error: { kind: 'stalled' } },
    ],
    [
      'going round in circles',
      shell(`while :; do echo '{"type":"tool_use","name":"look","input":{}}'; sleep 0.01; done`, { maxSteps: 5 }),
      { status: 'error', error: { kind: 'max_turns', message: 'the agent took more than 5 steps without finishing' } },
    ],
    ['being stopped', shell('kill -STOP $$', { stallSeconds: 0.1 }), { status: 'error', error: { kind: 'stalled' } }],
    ['a background child', shell(`sleep 60 & ${complete}`), { status: 'ok' }],
    ['a background child in its own session', shell(`setsid sleep 60 & ${complete}`), { status: 'ok' }],
    [
      'a background child that ignores SIGTERM',
      shell(`setsid sh -c "trap '' TERM; while :; do sleep 0.05; done" & sleep 0.1; ${complete}`),
      { status: 'ok' },
    ],
    [
      'a background child that keeps writing',
      shell(`sh -c 'while :; do echo "{}"; done' & ${complete}`),
      { status: 'ok' },
      { limits: { totalBytes: 2 ** 30 } },
    ],
  ]
  test.each(cases)('%s', async (_, agent, expected, options) => {
    expect(await fixture.turn(agent, options)).toMatchObject(expected)
    expect(fixture.alive()).toEqual([])
  })

  test('an error that is certain ends the turn before the agent does', async () => {
    const error: AgentError = { kind: 'auth', message: 'the key was refused', resetsAt: null }
    const hopeless: AgentAdapter = {
      ...commandAdapter,
      parser(context) {
        let isUnrecoverable = false
        const parser = commandAdapter.parser(context)
        const push = (line: string): AgentEvent[] => {
          isUnrecoverable = true
          return parser.push(line)
        }
        return { ...parser, push, unrecoverable: () => (isUnrecoverable ? error : null) }
      },
    }
    const outcome = await fixture.turn(shell('echo refused; while :; do sleep 0.02; done'), {
      adapters: { mine: hopeless },
    })
    expect(outcome).toMatchObject({ status: 'error', error })
    expect(fixture.alive()).toEqual([])
  })

  test('a child that wiped its environment goes with its group', async () => {
    await fixture.turn(
      shell(
        `env -i sh -c ': > up; exec sleep 60' & echo $! > pid.txt; while [ ! -e up ]; do sleep 0.01; done; ${complete}`,
      ),
    )
    const pid = Number(readFileSync(join(fixture.cwd, 'pid.txt'), 'utf8'))
    expect(pid).toBeGreaterThan(1)
    await expect.poll(() => identityOf(pid), { timeout: 120_000 }).toBeNull()
  })

  /** A daemon: its parent exits before it is up, and its environment is empty. */
  const daemon = (session: string): string =>
    `(env -i ${session} sh -c 'echo $$ > pid.new; mv pid.new pid.txt; while :; do sleep 0.05; done' &)
while [ ! -e pid.txt ]; do sleep 0.01; done; ${complete}`
  const daemonPid = (): number => Number(readFileSync(join(fixture.cwd, 'pid.txt'), 'utf8'))

  test('a daemon that forked twice and wiped its environment goes with its group', async () => {
    expect(await fixture.turn(shell(daemon('')))).toMatchObject({ status: 'ok' })
    await expect.poll(() => identityOf(daemonPid()), { timeout: 120_000 }).toBeNull()
  })

  test.runIf(process.platform === 'linux')(
    'a daemon that left the group as well is found by the output it holds',
    async () => {
      expect(await fixture.turn(shell(daemon('setsid')))).toMatchObject({ status: 'ok' })
      await expect.poll(() => identityOf(daemonPid()), { timeout: 120_000 }).toBeNull()
    },
  )

  test.each([
    ['a pipe', 'mkfifo "$LOOPER_RESULT_FILE"'],
    ['a folder', 'mkdir "$LOOPER_RESULT_FILE"'],
    ['a link', 'ln -s /etc/passwd "$LOOPER_RESULT_FILE"'],
    ['larger than allowed', 'head -c 5000000 /dev/zero > "$LOOPER_RESULT_FILE"'],
    ['cut short', `printf '{"status":"compl' > "$LOOPER_RESULT_FILE"`],
  ])('a result file that is %s', async (_, line) => {
    expect(await fixture.turn(shell(line))).toMatchObject({ status: 'invalid' })
  })

  test('a truncated stream', async () => {
    const { stream } = fixture.folder()
    expect(await fixture.turn(shell(`echo noise; sleep 0.1; : > ${stream}; sleep 0.1; ${complete}`))).toMatchObject({
      status: 'ok',
    })
  })

  test('a line too long to read does not hide the answer after it', async () => {
    const outcome = await fixture.turn(shell(`head -c 200000 /dev/zero; echo; echo '{"status":"complete"}'`), {
      limits: { lineBytes: 100_000 },
    })
    expect(outcome).toMatchObject({ status: 'ok' })
  })

  test('an answer with a line missing is no answer', async () => {
    const outcome = await fixture.turn(
      shell(`echo '{"status":"complete",'; head -c 200000 /dev/zero; echo; echo '"summary":"x"}'`),
      { limits: { lineBytes: 100_000 } },
    )
    expect(outcome).toMatchObject({ status: 'invalid' })
  })

  test('the words of an error are plain, masked and bounded', async () => {
    const agent = shell(
      `printf '%5000s \\033]0;title\\007\\033[31mkey is %s\\033[0m\\000 end' x "$MY_SECRET" >&2; exit 1`,
      { env: { MY_SECRET: 'swordfish' } },
    )
    const outcome = await fixture.turn(agent, { secrets: ['MY_SECRET'] })
    const message = outcome.status === 'error' ? outcome.error.message : ''
    expect(message).toMatch(/x key is \[MY_SECRET\] end$/)
    expect(message.length).toBeLessThanOrEqual(2_000)
    expect(message).not.toMatch(/[\u0000-\u0008\u000B-\u001F]|swordfish/)
  })

  test('usage is summed, absurd usage bounded', async () => {
    const outcome = await fixture.turn(
      shell(
        `echo '{"type":"usage","inputTokens":7,"outputTokens":-1,"costUsd":1e999}'
echo '{"type":"usage","inputTokens":1,"outputTokens":1e300}'; ${complete}`,
      ),
    )
    expect(outcome.usage).toEqual({ inputTokens: 8, outputTokens: 1e12, costUsd: 0 })
  })
})

describe('an agent that cannot start', () => {
  test.each([
    [
      'no such program',
      { command: ['no-such-agent-anywhere', 'x'] },
      'cannot start "no-such-agent-anywhere": there is no such program',
    ],
    ['not executable', { command: ['./agent.sh'] }, 'cannot start "./agent.sh": it is not executable'],
    ['not drivable', { bin: 'claude' }, 'there is no agent "mine" that Looper can start'],
    ['without a command', { command: [''] }, 'agent "mine" has no command'],
  ])('%s', async (_, agent, message) => {
    writeFileSync(join(fixture.cwd, 'agent.sh'), '')
    chmodSync(join(fixture.cwd, 'agent.sh'), 0o644)
    expect(await fixture.turn(agent)).toMatchObject({ status: 'error', error: { kind: 'config', message } })
  })

  test('a workspace that is gone loses the work', async () => {
    rmSync(fixture.cwd, { recursive: true })
    const dispatch = fixture.create({ agents: { mine: shell('true') } })
    dispatch.ensure(fixture.request('mine'))
    expect(await fixture.settled(dispatch)).toEqual({ state: 'lost', why: `the workspace ${fixture.cwd} is gone` })
  })

  test('an agent named like a property of every object is unknown', async () => {
    const dispatch = fixture.create()
    dispatch.ensure(fixture.request('constructor'))
    expect(await fixture.settled(dispatch)).toMatchObject({
      state: 'done',
      outcome: { status: 'error', error: { kind: 'config' } },
    })
  })
})

/**
 * Agents, checks and set-up commands that try to get out of the sandbox: nothing outside changes, and no process is
 * left. It is about the sandbox, chooses it itself, and runs once: with the sandbox on.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  agentsOf,
  attacker,
  attacks,
  controls,
  furnish,
  ofTheMachine,
  orphans,
  outcomesOf,
  secret,
} from '../kit/attacks.ts'
import {
  eventsSoFar,
  failures,
  follow,
  go,
  held,
  isRunning,
  killHard,
  landed,
  notes,
  noting,
  removeAll,
  starts,
  survivors,
  until,
} from '../kit/live.ts'
import { outsideState, type OutsideState } from '../kit/outside-state.ts'
import { cooperative, createProject, type Project } from '../kit/project.ts'

describe('F20: an agent that tries to get out', () => {
  let project: Project
  let before: OutsideState
  let ended: { code: number | null; stdout: string; stderr: string }
  let outcomes: Record<string, string>

  beforeAll(async () => {
    project = createProject({ agent: attacker, sandbox: 'os' })
    furnish(project)
    project.configure({ agents: agentsOf(project, { ATTACKS: JSON.stringify(attacks) }), review: false, parallel: 2 })
    before = outsideState(project)
    ended = await project.looper('run', 'make two files')
    outcomes = outcomesOf(project)
  }, 600_000)
  afterAll(() => removeAll(project))

  test.each(Object.keys(attacks))('%s: refused', (name) => {
    expect(outcomes[name]).toBe('refused')
  })

  test('changes nothing outside', () => {
    expect(outsideState(project)).toEqual(before)
  })

  test('leaves no process', () => {
    expect(survivors(project)).toEqual([])
    expect(orphans(project)).toEqual([])
  })

  test('cannot end the engine: the run completes, and only what was asked for lands', () => {
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(project.git('ls-tree', '-r', '--name-only', 'looper/001-make-two-files').split('\n')).toEqual([
      'README.md',
      'T001.txt',
      'T002.txt',
    ])
    expect(landed(project, 'looper/001-make-two-files').toSorted()).toEqual(['T001', 'T002'])
  })

  test('has learnt no secret, and none is in the run', () => {
    expect(Object.values(outcomes).join()).not.toContain(secret)
    expect(() => execFileSync('grep', ['-r', secret, join(project.root, '.looper')], { stdio: 'pipe' })).toThrow()
  })

  test('the run says that it was confined', async () => {
    expect(await project.status()).toMatchObject({ sandbox: 'os' })
    expect(project.events()[0]).toMatchObject({ type: 'run.started', config: { sandbox: 'os' } })
    expect(ended.stdout).toContain('in a sandbox (os)')
  })
})

describe('the same agent without a sandbox', () => {
  let project: Project
  let outcomes: Record<string, string>
  /** Seen right after the attacks: the keeper ends them when it takes over from the engine. */
  let left: number[] = []

  beforeAll(async () => {
    project = createProject({ agent: attacker, sandbox: 'off' })
    furnish(project)
    const more = { ATTACKS: JSON.stringify({ ...attacks, ...controls }), CONTROL: '1' }
    project.configure({ agents: agentsOf(project, more), review: false, parallel: 2 })
    await project.looper('run', 'make two files')
    await until('the end of the attacks', () => (left = orphans(project)).length > 0)
    outcomes = outcomesOf(project)
  }, 600_000)
  afterAll(async () => {
    for (const pid of orphans(project)) process.kill(pid, 'SIGKILL')
    await removeAll(project)
  })

  test.each(Object.keys(attacks).filter((name) => !ofTheMachine.includes(name)))('%s: done', (name) => {
    expect(outcomes[name]).toMatch(/^done/)
  })

  test.each(ofTheMachine)('%s: as in a shell', (name) => {
    const { status } = spawnSync('sh', ['-c', attacks[name] ?? ''], { stdio: 'ignore' })
    expect(outcomes[name]?.split(' ')[0]).toBe(status === 0 ? 'done' : 'refused')
  })

  test('learns secrets, ends the engine and leaves a process', () => {
    expect(Object.values(outcomes).join()).toContain(secret)
    expect(eventsSoFar(project).some(({ type }) => type === 'run.ended')).toBe(false)
    expect(notes(project, 'ended').map(Number).filter(isRunning)).toEqual([])
    expect(left).not.toEqual([])
  })
})

describe('in place', () => {
  let project: Project
  afterEach(() => removeAll(project))

  test('the checkout is writable, but not what would take effect outside the sandbox', async () => {
    const lines = {
      'plants a hook': 'printf "#!/bin/sh\\n" > .git/hooks/pre-push',
      'edits settings': 'git config core.pager evil',
      'replaces the repository': 'mv .git .git.away',
      'edits the journal': 'echo "{}" >> .looper/runs/last/events.jsonl',
      'edits the configuration': 'echo "{}" > .looper/config.json',
      'adds to the home folder': 'echo x > $OWNER/planted',
    }
    project = createProject({ agent: attacker, sandbox: 'os' })
    project.configure({
      agents: agentsOf(project, { ATTACKS: JSON.stringify(lines) }),
      review: false,
      parallel: 1,
      workspace: { mode: 'in-place' },
    })
    const config = project.read('.git/config')
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    expect(outcomesOf(project)).toEqual(Object.fromEntries(Object.keys(lines).map((name) => [name, 'refused'])))
    expect(project.read('T001.txt')).toBe('made by T001\n')
    expect(project.read('.git/config')).toBe(config)
  })
})

describe('checks and set-up', () => {
  let project: Project
  afterEach(() => removeAll(project))

  test('run confined as well', async () => {
    project = createProject({ sandbox: 'os' })
    const line = `! echo x > '${dirname(project.root)}/planted' && ! cat "$HOME/.ssh/id_ed25519" && echo fine > "$TMPDIR/file"`
    const home =
      'test ! -e "$HOME/.seen" && touch "$HOME/.seen" && mkdir -p "$HOME/.config/tool" && test -e "$HOME/.gitconfig"'
    furnish(project)
    writeFileSync(join(dirname(project.root), '.gitconfig'), '')
    project.configure({ review: false, checks: [line, home], workspace: { setup: [line] } })
    const before = outsideState(project)
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    expect(outsideState(project)).toEqual(before)
  })

  test('leave no process', async () => {
    project = createProject({ sandbox: 'os' })
    project.configure({ review: false, checks: ['setsid env -i sh -c "sleep 1000; : orphan of $0" "$HOME" & true'] })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    expect(orphans(project)).toEqual([])
  })
})

describe('a confined turn', () => {
  let project: Project
  afterEach(() => removeAll(project))

  test('outlives its engine, and the next one adopts it', async () => {
    project = createProject({
      agent: `${noting}\nif (task === 'T001') await hold('coder')\n${cooperative}`,
      config: { review: false },
      sandbox: 'os',
    })
    const first = follow(project.start('run', 'make two files'))
    await held(project, 'coder')
    await killHard(first)
    expect(survivors(project)).not.toEqual([])
    const second = follow(project.start('resume'))
    go(project, 'coder')
    expect(await second.ended).toMatchObject({ code: 0, stderr: '' })
    expect(starts(project).filter((turn) => turn === 'T001/a1/implement')).toHaveLength(1)
    expect(survivors(project)).toEqual([])
  })

  test('is asked to stop before it is ended, as without a sandbox', async () => {
    const polite = `process.on('SIGINT', () => { note('asked', task); process.exit(130) })`
    project = createProject({
      agent: `${noting}\n${polite}\nif (task === 'T001') await hold('coder')\n${cooperative}`,
      config: { review: false },
      sandbox: 'os',
    })
    const looper = follow(project.start('run', 'make two files'))
    await held(project, 'coder')
    looper.kill('SIGINT')
    expect((await looper.ended).code).toBe(130)
    expect(notes(project, 'asked')).toEqual(['T001'])
    expect(survivors(project)).toEqual([])
  })

  test('that is silent for too long is ended, with all that it started', async () => {
    const hanging = 'setsid env -i sleep 1001 & sleep 1002'
    project = createProject({ sandbox: 'os' })
    project.configure({
      agents: { ...agentsOf(project), hanging: { command: ['sh', '-c', hanging], stallSeconds: 1 } },
      agent: 'test',
      roles: { coder: { agent: 'hanging' } },
      review: false,
      limits: { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 },
    })
    expect((await project.looper('run', 'make two files')).code).toBe(1)
    expect(failures(project)).toContain('stalled')
    expect(survivors(project)).toEqual([])
  })

  test('of a program that is gone is an error of the configuration, not a crash', async () => {
    project = createProject({ sandbox: 'os' })
    const program = join(project.notes, 'agent.sh')
    const plan = JSON.stringify({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }] })
    writeFileSync(program, `#!/bin/sh\nrm "$0"\necho '${plan}' > "$LOOPER_RESULT_FILE"\n`, { mode: 0o755 })
    project.configure({ agents: { gone: { command: [program] } }, review: false })
    await project.looper('run', 'make two files')
    const errors = eventsSoFar(project).flatMap((event) =>
      event.type === 'work.finished' && event.outcome.kind === 'turn' && event.outcome.status === 'error'
        ? [event.outcome.error]
        : [],
    )
    expect(errors[0]).toMatchObject({ kind: 'config', message: `cannot start "${program}": there is no such program` })
  })
})

describe('the key "sandbox"', () => {
  let project: Project
  afterEach(() => project.remove())

  test('asked for and impossible: exit 2, and one line says what to do', async () => {
    project = createProject()
    const { code, stdout, stderr } = await project.looperThrough(
      ['env', 'LOOPER_SANDBOX=os', 'LOOPER_BWRAP=/nonexistent/bwrap'],
      'run',
      'make two files',
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/"sandbox" is "os", but \/nonexistent\/bwrap does not work here/)
    expect(stderr).toMatch(/Install bubblewrap/)
  })

  test('left open: off where it does not work, said on the card, in the status and by doctor', async () => {
    project = createProject()
    const through: [string, ...string[]] = ['env', '-u', 'LOOPER_SANDBOX', 'LOOPER_BWRAP=/nonexistent/bwrap']
    const { code, stdout } = await project.looperThrough(through, 'run', 'make two files', '--no-review')
    expect(code).toBe(0)
    expect(stdout).toContain('(sandbox off, it does not work here: see `looper doctor`)')
    expect(await project.status()).toMatchObject({ sandbox: 'off' })
    const rows = JSON.parse((await project.looperThrough(through, 'doctor', '--json')).stdout) as {
      check: string
      ok: boolean
      detail: string
    }[]
    expect(rows.find(({ check }) => check === 'sandbox')).toMatchObject({
      ok: true,
      detail: expect.stringContaining('off: /nonexistent/bwrap'),
    })
  })
})

/**
 * Agents, checks and set-up commands that try to get out of the sandbox: nothing outside changes, and no process is
 * left.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventsSoFar, failures, follow, go, held, killHard, landed, notes, noting, removeAll, starts, survivors } from '../kit/live.ts'
import { outsideState, type OutsideState } from '../kit/outside-state.ts'
import { cooperative, createProject, type Project } from '../kit/project.ts'

const secret = 'the-private-key-of-the-user'

/** Each is one shell line; `REPO`, `OWNER` (the user's home) and `RUN` are paths. */
const attacks: Record<string, string> = {
  'writes into the checkout': 'echo x >> $REPO/README.md',
  'adds a file to the checkout': 'echo x > $REPO/planted',
  'changes the settings of git': 'git --git-dir=$REPO/.git config core.fsmonitor "touch $OWNER/owned"',
  'edits the settings of git': 'printf "[core]\\n\\tfsmonitor = evil\\n" >> $REPO/.git/config',
  'plants a hook': 'printf "#!/bin/sh\\n" > $REPO/.git/hooks/pre-commit',
  'moves the branch of the user': 'git --git-dir=$REPO/.git update-ref refs/heads/main HEAD',
  'writes a ref as a file': 'echo 0000000000000000000000000000000000000000 > $REPO/.git/refs/heads/main',
  'deletes the branch of the user': 'rm $REPO/.git/refs/heads/main',
  'drops the stash of the user': 'cd $REPO && git stash drop',
  'applies the stash of the user': 'cd $REPO && git stash pop',
  'deletes the index': 'rm $REPO/.git/index',
  'changes a file of the home folder': 'echo "alias ls=evil" >> $OWNER/.profile',
  'adds a file to the home folder': 'echo x > $OWNER/planted',
  'adds a key': 'echo key >> $OWNER/.ssh/authorized_keys',
  'changes the settings of git for the user': 'HOME=$OWNER git config --global core.pager evil',
  'changes settings of the user for Looper': 'mkdir -p $OWNER/.config/looper && echo "{}" > $OWNER/.config/looper/config.json',
  'plants a hook in the settings of Claude Code': 'echo "{}" > $OWNER/.claude/settings.json',
  'reads a key': 'cat $OWNER/.ssh/id_ed25519 >&2',
  'reads credentials of git': 'cat $OWNER/.git-credentials >&2',
  'reads a token': 'cat $OWNER/.config/gh/hosts.yml >&2',
  'reads the checkout': 'cat $REPO/untracked.env >&2',
  'reads the environment of other processes': 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep ^LOOPER_SANDBOX_ALLOW=',
  'writes into another workspace': 'for w in ../*/; do [ "$w" -ef . ] || echo x > "$w/planted" || exit 1; done; [ "$(ls -d ../*/ | wc -l)" -gt 1 ]',
  'appends to the journal': 'echo "{}" >> $RUN/events.jsonl',
  'deletes the run': 'rm -r $RUN/events.jsonl',
  'sends a command to the run': 'mkdir -p $RUN/inbox && echo "{}" > $RUN/inbox/forged.json',
  'changes the configuration of the project': 'echo "{}" > $REPO/.looper/config.json',
  'forges which process it is': 'echo "{}" > "$(dirname "$LOOPER_RESULT_FILE")/process.json"',
  'mounts the root writable': 'mount -o remount,rw / || unshare -Urm mount -o remount,rw,bind /',
  'uncovers what is hidden': 'umount $REPO || unshare -Urm umount $REPO',
  // The same value: where the test fails, the machine stays as it is.
  'changes the kernel': 'value=$(cat /proc/sys/kernel/core_pattern) && echo "$value" > /proc/sys/kernel/core_pattern',
  'writes to a device': 'ls /dev/sd* /dev/vd* /dev/nvme* && exit 0; exit 1',
  'reaches the bus of the system': 'ls /run/dbus/system_bus_socket /var/run/docker.sock',
}

const attacker = `
import { spawnSync } from 'node:child_process'
const attack = () => {
  const owner = path.dirname(env.NOTES)
  const outcomes = {}
  for (const [name, line] of Object.entries(JSON.parse(env.ATTACKS))) {
    const run = path.resolve(path.dirname(env.LOOPER_RESULT_FILE), '../..')
    const { status, stderr } = spawnSync('sh', ['-c', line], {
      encoding: 'utf8', env: { ...env, OWNER: owner, REPO: path.join(owner, 'repo'), RUN: run },
    })
    outcomes[name] = status === 0 ? 'done ' + stderr : 'refused'
  }
  fs.writeFileSync(path.join(env.NOTES, 'outcomes'), JSON.stringify(outcomes))
  // Without a sandbox this is the engine.
  try { process.kill(process.ppid, 'SIGKILL') } catch {}
  spawnSync('sh', ['-c', 'setsid env -i sh -c "sleep 1000; : orphan of $0" "$NOTES" > /dev/null 2>&1 &'], { env })
}
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
if (role === 'coder') {
  write(task + '.txt', 'made by ' + task + '\\n')
  if (task === 'T001') attack()
  answer({ status: 'complete', summary: 'made ' + task })
}
`

const agentsOf = ({ root, notes: folder }: Project, more: Record<string, string> = {}): Record<string, object> =>
  ({ test: { command: [process.execPath, join(dirname(root), 'agent.mjs')], env: { NOTES: folder, ...more } } })

/** A home folder with things worth taking. */
function furnish(project: Project): void {
  const put = (path: string, text: string): void => {
    const file = join(dirname(project.root), path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  put('.profile', 'export PLAIN=1\n')
  put('.ssh/id_ed25519', secret)
  put('.git-credentials', secret)
  put('.config/gh/hosts.yml', secret)
  put('.claude/settings.json', '{"model":"opus"}')
  put('repo/README.md', '# changed by the user\n')
  project.git('stash')
  put('repo/untracked.env', secret)
}

describe('an agent that tries to get out', () => {
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
    outcomes = JSON.parse(readFileSync(join(project.notes, 'outcomes'), 'utf8')) as Record<string, string>
  }, 120_000)
  afterAll(() => removeAll(project))

  test.each(Object.keys(attacks))('%s: refused', (name) => {
    expect(outcomes[name]).toBe('refused')
  })

  test('changes nothing outside', () => {
    expect(outsideState(project)).toEqual(before)
  })

  test('leaves no process', () => {
    expect(survivors(project)).toEqual([])
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(`orphan of ${project.notes}`)
  })

  test('cannot end the engine: the run completes, and only what was asked for lands', () => {
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(project.git('ls-tree', '-r', '--name-only', 'looper/001-make-two-files').split('\n')).toEqual(['README.md', 'T001.txt', 'T002.txt'])
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

describe('in place', () => {
  let project: Project
  afterEach(() => removeAll(project))

  test('the checkout is writable, but not what would take effect outside the sandbox', async () => {
    const lines = {
      'plants a hook': 'printf "#!/bin/sh\\n" > .git/hooks/pre-push', 'edits settings': 'git config core.pager evil',
      'replaces the repository': 'mv .git .git.away', 'edits the journal': 'echo "{}" >> .looper/runs/last/events.jsonl',
      'edits the configuration': 'echo "{}" > .looper/config.json', 'adds to the home folder': 'echo x > $OWNER/planted',
    }
    project = createProject({ agent: attacker, sandbox: 'os' })
    project.configure({
      agents: agentsOf(project, { ATTACKS: JSON.stringify(lines) }),
      review: false, parallel: 1, workspace: { mode: 'in-place' },
    })
    const config = project.read('.git/config')
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    const outcomes = JSON.parse(readFileSync(join(project.notes, 'outcomes'), 'utf8')) as Record<string, string>
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(lines).map((name) => [name, 'refused'])))
    expect(project.read('T001.txt')).toBe('made by T001\n')
    expect(project.read('.git/config')).toBe(config)
  })
})

describe('checks and set-up', () => {
  let project: Project
  afterEach(() => removeAll(project))

  test('run confined as well', async () => {
    const line = '! echo x > "$HOME/planted" && ! cat "$HOME/.ssh/id_ed25519" && echo fine > "$TMPDIR/file"'
    project = createProject({ sandbox: 'os' })
    furnish(project)
    project.configure({ review: false, checks: [line], workspace: { setup: [line] } })
    const before = outsideState(project)
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    expect(outsideState(project)).toEqual(before)
  })

  test('leave no process', async () => {
    project = createProject({ sandbox: 'os' })
    project.configure({ review: false, checks: ['setsid env -i sh -c "sleep 1000; : orphan of $0" "$HOME" & true'] })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(`orphan of ${dirname(project.root)}`)
  })
})

describe('a confined turn', () => {
  let project: Project
  afterEach(() => removeAll(project))

  test('outlives its engine, and the next one adopts it', async () => {
    project = createProject({ agent: `${noting}\nif (task === 'T001') await hold('coder')\n${cooperative}`, config: { review: false }, sandbox: 'os' })
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
    project = createProject({ agent: `${noting}\n${polite}\nif (task === 'T001') await hold('coder')\n${cooperative}`, config: { review: false }, sandbox: 'os' })
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
      agents: { ...agentsOf(project), hanging: { command: ['sh', '-c', hanging], stallSeconds: 1 } }, agent: 'test',
      roles: { coder: { agent: 'hanging' } }, review: false,
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
    const errors = eventsSoFar(project).flatMap((event) => (event.type === 'work.finished' && event.outcome.kind === 'turn'
      && event.outcome.status === 'error' ? [event.outcome.error] : []))
    expect(errors[0]).toMatchObject({ kind: 'config', message: `cannot start "${program}": there is no such program` })
  })
})

describe('the key "sandbox"', () => {
  let project: Project
  afterEach(() => project.remove())

  test('asked for and impossible: exit 2, and one line says what to do', async () => {
    project = createProject()
    const { code, stdout, stderr } = await project.looperThrough(['env', 'LOOPER_SANDBOX=os', 'LOOPER_BWRAP=/nonexistent/bwrap'], 'run', 'make two files')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/"sandbox" is "os", but \/nonexistent\/bwrap does not work here/)
    expect(stderr).toMatch(/Install bubblewrap/)
  })

  test('left open: off where it does not work, said on the card, in the status and by doctor', async () => {
    project = createProject()
    const through: [string, ...string[]] = ['env', '-u', 'LOOPER_SANDBOX', 'LOOPER_BWRAP=/nonexistent/bwrap']
    const { code, stdout } = await project.looperThrough(through, 'run', 'make two files', '--no-review')
    expect(code).toBe(0)
    expect(stdout).toContain('(sandbox off)')
    expect(await project.status()).toMatchObject({ sandbox: 'off' })
    const rows = JSON.parse((await project.looperThrough(through, 'doctor', '--json')).stdout) as { check: string; ok: boolean; detail: string }[]
    expect(rows.find(({ check }) => check === 'sandbox')).toMatchObject({ ok: true, detail: expect.stringContaining('off: /nonexistent/bwrap') })
  })
})

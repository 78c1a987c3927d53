/**
 * An agent that tries to get out of the sandbox, in a home folder with things worth taking. Each attack is one shell
 * line. Without a sandbox they succeed, so that "refused" means something.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Project } from './project.ts'

export const secret = 'the-private-key-of-the-user'

/** Each is one shell line; `REPO`, `OWNER` (the user's home) and `RUN` are paths. */
export const attacks: Record<string, string> = {
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
  'changes settings of the user for Looper':
    'mkdir -p $OWNER/.config/looper && echo "{}" > $OWNER/.config/looper/config.json',
  'plants a hook in the settings of Claude Code': 'echo "{}" > $OWNER/.claude/settings.json',
  'reads a key': 'cat $OWNER/.ssh/id_ed25519 >&2',
  'reads credentials of git': 'cat $OWNER/.git-credentials >&2',
  'reads a token': 'cat $OWNER/.config/gh/hosts.yml >&2',
  'reads the checkout': 'cat $REPO/untracked.env >&2',
  'reads the environment of other processes': 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep ^LOOPER_SANDBOX=',
  'writes into another workspace':
    'for w in ../*/; do [ "$w" -ef . ] || echo x > "$w/planted" || exit 1; done; [ "$(ls -d ../*/ | wc -l)" -gt 1 ]',
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

/** Attacks on mounts need something that is mounted: without a sandbox, these show that the means for them work. */
export const controls: Record<string, string> = {
  'mounts the root writable': `unshare -Urm sh -c 'mount --bind $OWNER $OWNER && mount -o remount,ro,bind $OWNER &&
    mount -o remount,rw,bind $OWNER && echo x > $OWNER/mounted'`,
  'uncovers what is hidden': `unshare -Urm sh -c 'mount -t tmpfs none $REPO && umount $REPO && cat $REPO/README.md'`,
}

/** What these reach depends on the machine: without a sandbox they must do what they do in a shell of this user. */
export const ofTheMachine = ['changes the kernel', 'writes to a device', 'reaches the bus of the system']

/**
 * With `CONTROL` everything that an attack changes is put back before the next one, and the other task waits until all
 * are over.
 */
export const attacker = `
import { spawnSync } from 'node:child_process'
const owner = path.dirname(env.NOTES)
const kept = path.join(env.NOTES, 'kept')
const parts = [
  'repo/.git', 'repo/README.md', 'repo/untracked.env', '.profile', '.ssh', '.config', '.claude', '.git-credentials',
  '.gitconfig',
]
const copy = (from, to) => {
  for (const part of parts) {
    fs.rmSync(path.join(to, part), { recursive: true, force: true })
    if (fs.existsSync(path.join(from, part))) fs.cpSync(path.join(from, part), path.join(to, part), { recursive: true })
  }
}
const attack = () => {
  const outcomes = {}
  if (env.CONTROL) copy(owner, kept)
  for (const [name, line] of Object.entries(JSON.parse(env.ATTACKS))) {
    const run = path.resolve(path.dirname(env.LOOPER_RESULT_FILE), '../..')
    const { status, stderr } = spawnSync('sh', ['-c', line], {
      encoding: 'utf8', env: { ...env, OWNER: owner, REPO: path.join(owner, 'repo'), RUN: run },
    })
    outcomes[name] = status === 0 ? 'done ' + stderr : 'refused'
    if (env.CONTROL) copy(kept, owner)
  }
  fs.writeFileSync(path.join(env.NOTES, 'outcomes'), JSON.stringify(outcomes))
  if (env.CONTROL) note('ended', process.ppid)
  // Without a sandbox this is the engine.
  try { process.kill(process.ppid, 'SIGKILL') } catch {}
  spawnSync('sh', ['-c', 'setsid env -i sh -c "sleep 1000; : orphan of $0" "$NOTES" > /dev/null 2>&1 &'], { env })
}
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
if (role === 'coder') {
  write(task + '.txt', 'made by ' + task + '\\n')
  if (env.CONTROL) note('coders', task)
  const isOther = () => fs.readFileSync(env.NOTES + '/coders', 'utf8').includes('T002')
  while (env.CONTROL && task === 'T001' && !isOther()) await sleep(10)
  while (env.CONTROL && task === 'T002' && !fs.existsSync(env.NOTES + '/outcomes')) await sleep(10)
  if (task === 'T001') attack()
  answer({ status: 'complete', summary: 'made ' + task })
}
`

export const agentsOf = (
  { root, notes: folder }: Project,
  more: Record<string, string> = {},
): Record<string, object> => ({
  test: { command: [process.execPath, join(dirname(root), 'agent.mjs')], env: { NOTES: folder, ...more } },
})

/** A home folder with things worth taking. */
export function furnish(project: Project): void {
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

/** Processes that agents and checks left on purpose; the folder of the project is their only argument. */
export const orphans = ({ root }: Project): number[] =>
  execFileSync('ps', ['-ww', '-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(': orphan of') && line.includes(dirname(root)))
    .map((line) => Number.parseInt(line, 10))

/** What became of each attack: `refused`, or `done` with what it printed. */
export const outcomesOf = ({ notes }: Project): Record<string, string> =>
  JSON.parse(readFileSync(join(notes, 'outcomes'), 'utf8')) as Record<string, string>

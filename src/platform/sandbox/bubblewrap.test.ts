import { describe, expect, test } from 'vitest'
import { bubblewrapArgv, type Confined } from './bubblewrap.ts'

const confined: Confined = {
  argv: ['agent', '--flag'],
  cwd: '/w/1',
  isRoot: false,
  rules: [
    { path: '/tmp', access: 'private', kind: 'folder' },
    { path: '/home/u/.netrc', access: 'hide', kind: 'file' },
    { path: '/home/u/.ssh', access: 'hide', kind: 'folder' },
    { path: '/w/1', access: 'write', kind: 'folder' },
    { path: '/w/1/lock', access: 'read', kind: 'file' },
    { path: '/dev/kvm', access: 'write', kind: 'device' },
  ],
}
const line = (more: Partial<Confined> = {}): string =>
  bubblewrapArgv('/usr/bin/bwrap', { ...confined, ...more }).join(' ')

describe('the command line of bubblewrap', () => {
  test('mounts in the order of the rules, and closes hidden folders when all mount points are made', () => {
    expect(line()).toContain(
      '--ro-bind / / --proc /proc --dev /dev --perms 1777 --tmpfs /tmp --ro-bind /dev/null /home/u/.netrc '
        + '--tmpfs /home/u/.ssh --bind-try /w/1 /w/1 --ro-bind-try /w/1/lock /w/1/lock --dev-bind-try /dev/kvm /dev/kvm '
        + '--remount-ro /home/u/.ssh --chdir /w/1 -- /bin/sh -c ',
    )
  })

  test('makes a pid namespace that ends with its first process', () => {
    expect(line()).toMatch(/^\/usr\/bin\/bwrap --unshare-pid --as-pid-1 /)
  })

  test('neither ends the agent with the engine nor takes it out of its process group', () => {
    expect(line()).not.toMatch(/die-with-parent|new-session/)
  })

  test('passes the arguments on as they are', () => {
    expect(bubblewrapArgv('bwrap', confined).slice(-3)).toEqual(['sh', 'agent', '--flag'])
  })

  test('takes from root what could undo the mounts or change the machine', () => {
    expect(line({ isRoot: true })).toContain('--ro-bind /proc/sys /proc/sys')
    expect(line({ isRoot: true })).toContain('--cap-drop ALL')
    expect(line({ isRoot: true })).not.toMatch(/CAP_SYS_ADMIN|CAP_SYS_PTRACE|CAP_MKNOD/)
    expect(line()).not.toContain('--cap')
  })
})

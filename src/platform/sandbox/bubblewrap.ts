/** The command line of bubblewrap that confines a program on Linux. Pure. */
import type { Rule } from './rules.ts'

export interface Confined {
  argv: readonly [string, ...string[]]
  cwd: string
  /** Ordered: see `orderRules`. */
  rules: readonly Rule[]
  isRoot: boolean
}

/**
 * The first process of the sandbox. The kernel ends all others with it, so that no process outlives the turn. It is a
 * shell and not the program itself, because the kernel withholds signals without a handler from the first process of a
 * pid namespace. What the shell itself has to say about signals is dropped.
 */
const firstProcess = ['/bin/sh', '-c', 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?', 'sh']

/** Settings of the whole machine, which root could change without any capability. */
const readOnlyProc = [
  '--ro-bind',
  '/proc/sys',
  '/proc/sys',
  '--ro-bind-try',
  '/proc/sysrq-trigger',
  '/proc/sysrq-trigger',
]

/** What root needs for files, packages and users. Without the rest it cannot mount, trace or load anything. */
const rootCapabilities = [
  'CAP_CHOWN',
  'CAP_DAC_OVERRIDE',
  'CAP_FOWNER',
  'CAP_FSETID',
  'CAP_KILL',
  'CAP_SETGID',
  'CAP_SETUID',
  'CAP_NET_BIND_SERVICE',
]

/**
 * Neither `--die-with-parent` nor `--new-session`: an agent outlives the engine until the next engine adopts it, and it
 * is signalled by the process group it was started in.
 */
export function bubblewrapArgv(program: string, { argv, cwd, rules, isRoot }: Confined): [string, ...string[]] {
  return [
    program,
    '--unshare-pid',
    '--as-pid-1',
    '--unshare-ipc',
    '--ro-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    ...(isRoot ? readOnlyProc : []),
    '--dev',
    '/dev',
    ...rules.flatMap(mountOf),
    ...rules.flatMap(closingOf),
    ...(isRoot ? ['--cap-drop', 'ALL', ...rootCapabilities.flatMap((name) => ['--cap-add', name])] : []),
    '--chdir',
    cwd,
    '--',
    ...firstProcess,
    ...argv,
  ]
}

/** Only when all mount points in it are made. */
const closingOf = ({ access, kind, path }: Rule): string[] =>
  access === 'hide' && kind === 'folder' ? ['--remount-ro', path] : []

/** `-try`, because a file may be gone since the rules were made. */
function mountOf({ path, access, kind, target = '/' }: Rule): string[] {
  switch (access) {
    case 'write':
      return [kind === 'device' ? '--dev-bind-try' : '--bind-try', path, path]
    case 'read':
      return ['--ro-bind-try', path, path]
    // A device that cannot be opened: bubblewrap mounts it with `nodev`.
    case 'hide':
      return kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]
    case 'private':
      return ['--perms', '1777', '--tmpfs', path]
    case 'link':
      return ['--symlink', target, path]
  }
}

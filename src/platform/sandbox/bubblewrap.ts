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
 * The first process of the sandbox. The kernel ends all others with it, so no process outlives the turn. It is a shell,
 * because the kernel drops signals without a handler to the first process of a pid namespace. The shell's own messages
 * about signals are discarded.
 */
const firstProcess = ['/bin/sh', '-c', 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?', 'sh']

/** Machine-wide settings that root could change without any capability. */
const readOnlyProc = [
  '--ro-bind',
  '/proc/sys',
  '/proc/sys',
  '--ro-bind-try',
  '/proc/sysrq-trigger',
  '/proc/sysrq-trigger',
]

/**
 * The capabilities that root needs for files, packages and users. Without the others it cannot mount, trace or load
 * modules.
 */
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
 * Does not use `--die-with-parent` or `--new-session`: an agent outlives the engine until the next engine adopts it,
 * and signals reach it through its original process group.
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

/** Remounts read-only after all mount points inside exist. */
const closingOf = ({ access, kind, path }: Rule): string[] =>
  access === 'hide' && kind === 'folder' ? ['--remount-ro', path] : []

/** Uses `-try`, because a file may have been removed since the rules were made. */
function mountOf({ path, access, kind, target = '/' }: Rule): string[] {
  switch (access) {
    case 'write':
      return [kind === 'device' ? '--dev-bind-try' : '--bind-try', path, path]
    case 'read':
      return ['--ro-bind-try', path, path]
    // /dev/null cannot be opened here, because bubblewrap mounts it with `nodev`.
    case 'hide':
      return kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]
    case 'private':
      return ['--perms', '1777', '--tmpfs', path]
    case 'link':
      return ['--symlink', target, path]
  }
}

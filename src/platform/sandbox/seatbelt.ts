/** The profile and command line of `sandbox-exec` that confine a program on macOS. Pure. */
import { dirname } from 'node:path'
import type { Confined } from './bubblewrap.ts'
import { accessAt, type Rule } from './rules.ts'

/**
 * The last matching line wins, so the order of `orderRules` works here too. There are no mounts: a folder that is
 * private on Linux is shared and read-only here.
 */
export function seatbeltProfile(rules: readonly Rule[]): string {
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/dev"))',
    '(deny signal)',
    '(allow signal (target same-sandbox))',
    ...rules.flatMap(lineOf),
    ...waysThroughHidden(rules).map((path) => `(allow file-read-metadata (literal ${text(path)}))`),
    '',
  ].join('\n')
}

export const seatbeltArgv = (program: string, { argv, rules }: Confined): [string, ...string[]] => [
  program,
  '-p',
  seatbeltProfile(rules),
  ...argv,
]

function lineOf({ path, access, kind }: Rule): string[] {
  const where = `(${kind === 'folder' ? 'subpath' : 'literal'} ${text(path)})`
  switch (access) {
    case 'write':
      return [`(allow file-read* file-write* network-outbound ${where})`]
    case 'read':
      return [`(allow file-read* ${where})`, `(deny file-write* ${where})`]
    // A process connects to a socket and does not read it, so network access is denied too.
    case 'hide':
      return [`(deny file-read* file-write* network-outbound ${where})`]
    case 'private':
    case 'link':
      return []
  }
}

/** Hidden folders above a readable path: programs resolve their current folder step by step and need the metadata. */
function waysThroughHidden(rules: readonly Rule[]): string[] {
  const ways = new Set<string>()
  for (const { path, access } of rules) {
    if (access !== 'write' && access !== 'read') continue
    for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) {
      if (accessAt(rules, folder) === 'hide') ways.add(folder)
    }
  }
  return [...ways].toSorted()
}

const text = (path: string): string => `"${path.replace(/[\\"]/g, '\\$&')}"`

/**
 * Finds out whether this process belongs to a run although its own environment does not say so: a marked ancestor, an
 * output that is a turn's file. Reads a few files of /proc; elsewhere it asks `ps` twice.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { markVariable } from './mark.ts'
import { parsePsEnvironments } from './sweep.ts'

/** Deeper chains of processes do not occur; the bound ends the walk whatever /proc says. */
const mostAncestors = 64

/** The pid of the nearest marked process among this one and its ancestors; null when there is none. */
export function markedAncestor(pid: number = process.pid): number | null {
  return process.platform === 'linux' ? walkProc(pid) : askPs(pid)
}

function walkProc(from: number): number | null {
  for (let pid = from, steps = 0; pid > 0 && steps < mostAncestors; steps++) {
    if (hasMark(pid)) return pid
    pid = parentOf(pid)
  }
  return null
}

/** The environment of another user's process cannot be read, and is none that Looper gave. */
function hasMark(pid: number): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${markVariable}=`)
  } catch {
    return false
  }
}

/** 0 when there is none. The name (field 2) may hold spaces and parentheses. */
function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || 0
  } catch {
    return 0
  }
}

function askPs(pid: number): number | null {
  const ask = (...args: string[]): string =>
    spawnSync('/bin/ps', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).stdout ?? ''
  const line = ancestorsIn(ask('-A', '-o', 'pid=,ppid='), pid)
  const marked = parsePsEnvironments(ask('-E', '-ww', '-o', 'pid=,command=', '-p', line.join(',')), '')
  return line.find((each) => marked.some((found) => found.pid === each)) ?? null
}

/** A process and its ancestors, nearest first, from lines of pid and parent. */
export function ancestorsIn(text: string, pid: number): number[] {
  const parents = new Map(
    text
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .map(([id = 0, parent = 0]) => [id, parent]),
  )
  const line: number[] = []
  for (let at = pid; at > 0 && line.length < mostAncestors && !line.includes(at); at = parents.get(at) ?? 0)
    line.push(at)
  return line
}

/** What an agent prints goes to files of its turn; a process that left its ancestors behind may still have them. */
const turnFile = /\/\.looper\/runs\/[^/]+\/turns\//

/** The file of a turn that a standard stream of this process is; null when none is, or the system does not say. */
export function turnStream(): string | null {
  if (process.platform !== 'linux') return null
  for (const stream of [0, 1, 2]) {
    try {
      const path = readlinkSync(`/proc/self/fd/${stream}`)
      if (turnFile.test(path)) return path
    } catch {
      // Closed.
    }
  }
  return null
}

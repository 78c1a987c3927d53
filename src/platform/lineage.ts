/**
 * Detects whether this process belongs to a run although its own environment has no mark: it has a marked ancestor, or
 * its output is a file of a turn. Reads /proc on Linux and calls `ps` twice elsewhere.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { markVariable } from './mark.ts'
import { parsePsEnvironments } from './sweep.ts'

/** Real process chains are shorter. The limit ends the walk even if /proc is inconsistent. */
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

/** The environment of another user's process cannot be read, and Looper did not set it. */
function hasMark(pid: number): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${markVariable}=`)
  } catch {
    return false
  }
}

/** 0 when the process has no parent or is gone. The name (field 2) may contain spaces and parentheses. */
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

/** Returns a process and its ancestors, nearest first, from lines of pid and parent pid. */
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

/**
 * The output of an agent goes to files of its turn. A process that was detached from its ancestors may still have them
 * open.
 */
const turnFile = /\/\.looper\/runs\/[^/]+\/turns\//

/**
 * The turn file that a standard stream of this process is connected to; null when there is none or the system does not
 * show it.
 */
export function turnStream(): string | null {
  if (process.platform !== 'linux') return null
  for (const stream of [0, 1, 2]) {
    try {
      const path = readlinkSync(`/proc/self/fd/${stream}`)
      if (turnFile.test(path)) return path
    } catch {
      // The stream is closed.
    }
  }
  return null
}

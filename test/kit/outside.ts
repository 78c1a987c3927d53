/**
 * Looper as other programs meet it: started anywhere with any environment, its agents written in any language, its
 * output read as bytes.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll } from 'vitest'
import { createProject, sandboxVariables, type Ended, type Project } from './project.ts'

const program = resolve(import.meta.dirname, '../../bin/looper.js')

export interface Call {
  env?: Record<string, string | undefined>
  cwd?: string
  input?: string
  /** On a terminal of its own; what it shows is stdout. */
  terminal?: boolean
  /** What a person types there, each when the text before it is shown. */
  typed?: readonly (readonly [shown: string, text: string])[]
  /** Columns of the terminal. */
  columns?: number
}

/** Sets the width before the program starts, which reads it at its own pace. */
const pseudoTerminal = (columns: number): string[] => [
  'python3',
  '-c',
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))',
  'sh',
  '-c',
  `stty columns ${columns} && exec "$@"`,
  'sh',
]

/** `looper` with other surroundings than the project's own. */
export function call(
  project: Project,
  args: readonly string[],
  { env = {}, cwd = project.root, input, terminal = false, typed, columns = 80 }: Call = {},
): Promise<Ended> {
  const surroundings = {
    PATH: process.env['PATH'],
    HOME: dirname(project.root),
    LANG: 'C.UTF-8',
    TERM: terminal ? 'xterm' : 'dumb',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@localhost',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@localhost',
    ...sandboxVariables(project.notes),
    ...env,
  }
  return new Promise((done) => {
    const [file, ...argv] = [...(terminal ? pseudoTerminal(columns) : []), process.execPath, program, ...args] as [
      string,
      ...string[],
    ]
    const child = spawn(file, argv, { cwd, env: surroundings, stdio: ['pipe', 'pipe', 'pipe'] })
    const texts = { stdout: '', stderr: '' }
    const left = [...(typed ?? [])]
    let read = 0
    const type = (): void => {
      const [next] = left
      const at = next === undefined ? -1 : texts.stdout.indexOf(next[0], read)
      if (next === undefined || at < 0) return
      read = at + next[0].length
      left.shift()
      child.stdin.write(next[1])
    }
    // Latin1 keeps every byte, so that a control character cannot hide in a decoder's replacement.
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('latin1').on('data', (text: string) => {
        texts[name] += text
        type()
      })
    const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')
    child.once('close', (code) => done({ code, stdout: utf8(texts.stdout), stderr: utf8(texts.stderr) }))
    if (typed === undefined) child.stdin.end(input ?? '')
  })
}

/** Projects of a test file, all removed at its end. */
export function projects(): (options?: Parameters<typeof createProject>[0]) => Project {
  const made: Project[] = []
  afterAll(() => made.forEach((project) => project.remove()))
  return (options) => {
    const project = createProject(options)
    made.push(project)
    return project
  }
}

/** The agent that the kit writes, as a configuration entry. */
export const ownAgent = ({ root, notes }: Project): { command: string[]; env: Record<string, string> } => ({
  command: [process.execPath, join(dirname(root), 'agent.mjs')],
  env: { NOTES: notes },
})

/** A file beside the repository, such as an agent in another language. */
export function beside({ root }: Project, name: string, content: string): string {
  const path = join(dirname(root), name)
  writeFileSync(path, content, { mode: 0o755 })
  return path
}

/** Before an agent's own body: keeps what it got on stdin, and counts its turns. */
export const listening = `
fs.writeFileSync(path.join(env.NOTES, env.LOOPER_TURN.replaceAll('/', '_') + '.prompt'), prompt)
note('turns', [env.LOOPER_TURN, role, purpose].join(' '))
`

/** What the agent of a turn got on stdin. */
export const received = ({ notes }: Project, turn: string): string =>
  readFileSync(join(notes, `${turn.replaceAll('/', '_')}.prompt`), 'utf8')

/** Lines that agents noted. */
export function noted({ notes }: Project, name: string): string[] {
  const file = join(notes, name)
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
}

/** `turn role purpose` of each turn, in the order of their starts. */
export const turns = (project: Project): string[] => noted(project, 'turns')

/**
 * Whatever a terminal could obey: all control characters but the line feed, and those of Unicode that reorder or hide
 * text.
 */
export const obeyed = (text: string): string[] =>
  text.match(/(?!\n)[\p{Cc}\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu) ?? []

/**
 * Guides that can be followed: blocks of their pages as steps. A block whose fence names a file after its language
 * (```json to-do.json) is that file; the lines of a block in `sh` are typed one after the other. A comment tells the
 * exit code where it is not 0.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { bdProgram } from './beads-project.ts'
import { agentProgram, createProject, sandboxVariables, type Project } from './project.ts'

const repository = resolve(import.meta.dirname, '../..')

export type Step = { file: string; text: string } | { line: string; exit: number }

export const pageText = (page: string): string => readFileSync(join(repository, page), 'utf8')

export interface Block {
  language: string
  file: string | null
  text: string
}

export const blocksOf = (page: string): Block[] =>
  [...pageText(page).matchAll(/^```(\w*)(?: (\S+))?\n([^]*?)^```$/gm)].map(
    ([, language = '', file = null, text = '']) => ({ language, file, text }),
  )

export const stepsOf = (page: string): Step[] =>
  blocksOf(page).flatMap(({ language, file, text }): Step[] => {
    if (file !== null) return [{ file, text }]
    return language === 'sh' ? text.split('\n').flatMap(stepOf) : []
  })

function stepOf(typed: string): Step[] {
  const [line = '', comment = ''] = typed.split(/(?:^|\s{2,})# /)
  return line.trim() === '' ? [] : [{ line: line.trim(), exit: Number(/\bexit code (\d+)/.exec(comment)?.[1] ?? 0) }]
}

/**
 * Command lines of Looper: those of blocks, and those in running text. Nothing of what follows a comment, a pipe or an
 * arrow.
 */
export function commandLines(text: string): string[] {
  const parts = text.split(/^```.*\n/m)
  const typed = parts.filter((_, index) => index % 2 === 1).flatMap((block) => block.split('\n'))
  const prose = parts.filter((_, index) => index % 2 === 0).join('\n')
  const named = [...prose.matchAll(/`(looper [^`]+)`/g)].map(([, line = '']) => line)
  const bare = [...typed, ...named].map((line) => line.replaceAll(/"[^"]*"/g, '"…"').replace(/\s# .*/, ''))
  return bare.flatMap((line) =>
    [...line.matchAll(/(?:^|[(;&] *)looper ([^#|>)&;]+)/g)].map(([, words = '']) => words.trim()),
  )
}

const mine = `
const tasks = [{ id: 'T001', title: 'Say hello' }, { id: 'T002', title: 'Say goodbye', dependsOn: ['T001'] }]
if (role === 'planner') answer({ status: 'plan', tasks })
if (role === 'supervisor') answer({ score: 90, summary: 'as asked' })
if (role === 'tester') answer({ status: 'passed', total: 1, passed: 1, failed: 0 })
if (role === 'judge') answer({ stop: true, confidence: 1, reason: 'enough' })
if (role === 'coder') { write(task + '.txt', 'x'); answer({ status: 'complete', summary: 'made ' + task }) }
if (role === 'iterator' && purpose === 'review') answer({ task_id: null, status: 'done', summary: 'nothing is missing', new_tasks: [] })
if (role === 'iterator' && purpose === 'iterate') {
  note('prompts', prompt.replaceAll('\\n', ' ⏎ '))
  write(task ? task + '.txt' : 'notes.md', String(Math.random()))
  answer({ task_id: task || null, status: task ? 'done' : 'continue', summary: 'made ' + (task || 'it better'), plateau: !task })
}
`

export interface Followed {
  project: Project
  /** What was typed, with what came of it. */
  said: { line: string; exit: number | null; output: string }[]
  /** The line that did not end as its page says. */
  surprise: string | null
}

/**
 * Does what a page says, in a real repository whose user has an agent in their own configuration; stops at the first
 * surprise.
 */
export async function follow(page: string, files: Record<string, string> = {}): Promise<Followed> {
  const project = createProject({ files })
  const place = settle(project)
  const said: Followed['said'] = []
  for (const step of stepsOf(page)) {
    if ('file' in step) project.write(step.file, step.text)
    else {
      const came = await type(step.line, place)
      said.push({ line: step.line, ...came })
      const surprise = `${step.line}: exit code ${came.exit}, not ${step.exit}\n${came.output}`
      if (came.exit !== step.exit) return { project, said, surprise }
    }
  }
  return { project, said, surprise: null }
}

interface UserShell {
  root: string
  env: Record<string, string>
}

/** A user with an agent, with `looper` and a stand-in for `bd` on the path. */
function settle({ root, notes, git }: Project): UserShell {
  const home = dirname(root)
  const [bin, program, own] = [join(home, 'bin'), join(home, 'mine.mjs'), join(home, '.config/looper')]
  for (const folder of [bin, own]) mkdirSync(folder, { recursive: true })
  writeFileSync(program, agentProgram(mine))
  const agents = { mine: { command: [process.execPath, program], env: { NOTES: notes } } }
  writeFileSync(join(own, 'config.json'), JSON.stringify({ agents, checks: ['true'] }))
  writeFileSync(
    join(bin, 'looper'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(repository, 'bin/looper.js')}' "$@"\n`,
  )
  chmodSync(join(bin, 'looper'), 0o755)
  symlinkSync(bdProgram, join(bin, 'bd'))
  rmSync(join(root, '.looper/config.json'))
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@localhost')
  return {
    root,
    env: {
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: home,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      GIT_CONFIG_NOSYSTEM: '1',
      ...sandboxVariables(notes),
    },
  }
}

const type = (line: string, { root, env }: UserShell): Promise<{ exit: number | null; output: string }> =>
  new Promise((done) => {
    const child = spawn('/bin/sh', ['-c', line], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += String(chunk)
      })
    child.on('close', (exit) => done({ exit, output }))
  })

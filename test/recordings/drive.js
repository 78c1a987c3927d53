/** Runs one turn of a CLI in a scrubbed environment and a home of its own, and keeps everything it says. */
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A CLI that says nothing for ever is ended, and that is recorded. */
const patienceMs = 120_000

/**
 * @param {import('./agents/agent.d.ts').Start} start
 * @param {{ folder: string, workspace: string, home: string, stdin: string, interrupt?: NodeJS.Signals, asked: Promise<unknown> }} place
 */
export async function drive(start, { folder, workspace, home, stdin, interrupt, asked }) {
  for (const [path, content] of Object.entries(start.files ?? {})) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  await mkdir(join(folder, 'tmp'), { recursive: true })
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: join(folder, 'tmp'), TZ: 'UTC', LANG: 'C.UTF-8', ...start.env }
  const begun = performance.now()
  const [program = '', ...args] = start.argv
  const child = spawn(program, args, { cwd: workspace, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const streams = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk) => { streams.stdout += chunk })
  child.stderr.setEncoding('utf8').on('data', (chunk) => { streams.stderr += chunk })
  child.stdin.on('error', () => {}).end(stdin)
  let ended = ''
  const patience = setTimeout(() => { ended = `ended after ${patienceMs} ms`; child.kill('SIGKILL') }, patienceMs)
  if (interrupt) void asked.then(() => new Promise((resolve) => setTimeout(resolve, 1_000))).then(() => child.kill(interrupt))
  const exit = await new Promise((resolve, reject) => child.on('error', reject).on('close', (code, signal) => resolve({ code, signal })))
  clearTimeout(patience)
  return {
    ...streams, exit, ...(ended ? { ended } : {}), durationMs: Math.round(performance.now() - begun),
    lastMessage: start.lastMessage ? await readFile(start.lastMessage, 'utf8').catch(() => null) : null,
  }
}

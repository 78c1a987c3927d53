/** Runs one turn of a CLI in a scrubbed environment and a home of its own, and keeps everything it says. */
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endLeftBehind, markName } from './left-behind.js'

/** A CLI that says nothing for ever is ended, and that is recorded. */
const usualPatienceMs = 120_000
/** How long one that has done its turn may take to go by itself. */
const goodbyeMs = 3_000

/** @typedef {import('./agents/agent.d.ts').Turn} Turn */
/** @typedef {import('node:child_process').ChildProcessWithoutNullStreams} Child */
/**
 * Resolves with what was said to the child.
 * @typedef {(child: Child, prompt: string, cancel: Promise<unknown> | null) => Promise<string>} Talk
 */

/**
 * @param {import('./agents/agent.d.ts').Start} start
 * @param {{
 *   folder: string, workspace: string, home: string, prompt: string, turn: Turn, talk: Talk | null, asked: Promise<unknown>
 * }} place
 */
export async function drive(start, { folder, workspace, home, prompt, turn, talk, asked }) {
  for (const [path, content] of Object.entries(start.files ?? {})) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  await mkdir(join(folder, 'tmp'), { recursive: true })
  const clean = {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: join(folder, 'tmp'),
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    [markName]: folder,
  }
  const begun = performance.now()
  const [program = '', ...args] = start.argv
  const child = spawn(program, args, {
    cwd: workspace,
    env: { ...clean, ...start.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exit = new Promise((resolve, reject) =>
    child.on('error', reject).on('close', (code, signal) => resolve({ code, signal })),
  )
  const streams = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    streams.stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    streams.stderr += chunk
  })
  child.stdin.on('error', () => {})
  const patienceMs = turn.patienceMs ?? usualPatienceMs
  let ended = ''
  const patience = setTimeout(() => {
    ended = `ended after ${patienceMs} ms`
    child.kill('SIGKILL')
  }, patienceMs)
  const interrupted = turn.interrupt ? asked.then(() => sleep(1_000)) : null
  const stdin = talk ? await talk(child, prompt, interrupted) : prompt
  child.stdin.end(talk ? '' : prompt)
  const goodbye = talk ? setTimeout(() => child.kill('SIGTERM'), goodbyeMs) : undefined
  if (!talk) void interrupted?.then(() => child.kill(turn.interrupt))
  const { code, signal } = /** @type {{ code: number | null, signal: string | null }} */ (await exit)
  clearTimeout(patience)
  clearTimeout(goodbye)
  const durationMs = Math.round(performance.now() - begun)
  const leftBehind = await endLeftBehind(folder)
  return {
    ...streams,
    leftBehind,
    durationMs,
    stdin,
    exit: { code, signal },
    ...(ended ? { ended } : {}),
    lastMessage: start.lastMessage ? await readFile(start.lastMessage, 'utf8').catch(() => null) : null,
  }
}

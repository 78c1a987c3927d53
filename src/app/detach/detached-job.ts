/**
 * The process that was started for a detached run: receives the request, takes over environment and folder, and reports
 * when the run has started.
 */
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../../api/app.ts'
import { findRoot } from '../../workspace/git/find-root.ts'
import type { Machine } from '../context.ts'
import { consoleFile } from './detach.ts'
import { answerOf, joinChannel, type Answer, type Message } from './job-channel.ts'
import { runOf } from '../runs/runs.ts'

export async function takeJob(context: Pick<Machine, 'env'>, path: string, createApp: () => App) {
  const { message, socket } = await joinChannel(path)
  const { request, cwd, log, env } = message
  if (env !== null) adopt(context.env, env)
  process.chdir(cwd)
  const abandoned = new Set<() => void>()
  let isOver = false
  socket.once('close', () => {
    if (!isOver) for (const callback of abandoned) callback()
  })
  const send = (answer: Answer): void => {
    isOver = true
    socket.end(`${JSON.stringify(answer)}\n`)
  }
  return {
    app: createApp(),
    cwd,
    request,
    terminal: log === null,
    started(run: string): void {
      moveLog(message, run)
      send({ run, pid: process.pid })
    },
    refused(error: unknown): void {
      if (isOver) return
      send(answerOf(error))
      if (log !== null && request.do === 'run') rmSync(log, { force: true })
    },
    onAbandoned(callback: () => void): void {
      if (socket.destroyed && !isOver) callback()
      abandoned.add(callback)
    },
  }
}

/**
 * A tmux server starts processes with its own environment. Replaces it, except for the variables that describe the
 * terminal.
 */
function adopt(mine: NodeJS.ProcessEnv, wanted: Readonly<Record<string, string>>): void {
  const terminal = /^(?:TERM|TERM_PROGRAM|TERM_PROGRAM_VERSION|COLORTERM|TMUX|TMUX_PANE)$/
  for (const name of Object.keys(mine)) if (!terminal.test(name)) delete mine[name]
  for (const [name, value] of Object.entries(wanted)) if (!terminal.test(name)) mine[name] = value
}

/** The process has the file open, so it keeps writing to it after the move. */
function moveLog({ log, cwd, request }: Message, run: string): void {
  if (log === null || request.do !== 'run') return
  try {
    renameSync(log, join(runOf(findRoot(cwd), run).folder, consoleFile))
  } catch {
    // A log that cannot be moved must never stop the run.
  }
}

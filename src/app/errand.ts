/**
 * The process that was started for a run: hears what to do, becomes what it needs to be for that, and tells when the
 * run is under way.
 */
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { App, Errand } from '../surfaces/cli/app.ts'
import { findRoot } from '../workspace/find-root.ts'
import type { Context } from './context.ts'
import { consoleFile } from './detach.ts'
import { answerOf, joinChannel, type Answer, type Message } from './errand-channel.ts'
import { runFolder } from './run-folder.ts'

export async function takeErrand(context: Context, path: string, createApp: (cwd: string) => App): Promise<Errand> {
  const { message, socket } = await joinChannel(path)
  const { what, cwd, log, env } = message
  if (env !== null) adopt(context.env, env)
  process.chdir(cwd)
  const abandoned = new Set<() => void>()
  let isOver = false
  socket.once('close', () => {
    if (!isOver) for (const callback of abandoned) callback()
  })
  const tell = (answer: Answer): void => {
    isOver = true
    socket.end(`${JSON.stringify(answer)}\n`)
  }
  return {
    app: createApp(cwd),
    cwd,
    what,
    terminal: log === null,
    started(run) {
      moveLog(message, run)
      tell({ run, pid: process.pid })
    },
    refused(error) {
      if (isOver) return
      tell(answerOf(error))
      if (log !== null && what.do === 'run') rmSync(log, { force: true })
    },
    onAbandoned(callback) {
      if (socket.destroyed && !isOver) callback()
      abandoned.add(callback)
    },
  }
}

/** A server that starts terminals has an environment of its own; what tells of the terminal stays. */
function adopt(mine: NodeJS.ProcessEnv, wanted: Readonly<Record<string, string>>): void {
  const terminal = /^(?:TERM|TERM_PROGRAM|TERM_PROGRAM_VERSION|COLORTERM|TMUX|TMUX_PANE)$/
  for (const name of Object.keys(mine)) if (!terminal.test(name)) delete mine[name]
  for (const [name, value] of Object.entries(wanted)) if (!terminal.test(name)) mine[name] = value
}

/** What is already open goes on being written to wherever it is. */
function moveLog({ log, cwd, what }: Message, run: string): void {
  if (log === null || what.do !== 'run') return
  try {
    renameSync(log, join(runFolder(findRoot(cwd), run), consoleFile))
  } catch {
    // Words for people must never stop the run they tell about.
  }
}

/** What a command works with: the app, the output streams, and the settings of the terminal. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { LooperError } from '../../api/error.ts'
import { ansiPaint, noPaint, type Paint } from '../../views/text/paint.ts'
import type { App, RepositoryApp } from '../../api/app.ts'
import type { Host } from './host.ts'
import type { Io } from './io.ts'
import type { Output } from './output.ts'

export interface CliContext {
  io: Io
  /** The working folder: `-C`, or the current folder. */
  cwd: string
  /** Looper in the repository around that folder. */
  app: RepositoryApp
  /** Looper in this process. */
  looper: App
  host: Host
  out: Output
  err: Output
  paint: Paint
}

/** The options of every command among those given. */
type GlobalOptions = Readonly<{ C?: unknown; color?: unknown }>

export interface World {
  io: Io
  out: Output
  err: Output
  host: Host
}

export function createCliContext({ io, out, err, host }: World, options: GlobalOptions): CliContext {
  const cwd = folder(io.cwd, options.C)
  const paint = wantsColor(io, options) ? ansiPaint : noPaint
  return { io, cwd, app: host.app.at(cwd), looper: host.app, host, out, err, paint }
}

function folder(cwd: string, wanted: unknown): string {
  if (typeof wanted !== 'string') return cwd
  const path = resolve(cwd, wanted)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path
  throw new LooperError('USAGE_ARGUMENTS', `-C: there is no folder ${path}`, { hint: 'Name a folder that exists.' })
}

/** An empty variable does not count as set (no-color.org). */
const wantsColor = ({ isTTY, env }: Io, { color }: GlobalOptions): boolean =>
  isTTY && color !== false && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'

/** The maximum width of lines; null when the output is not a terminal. */
export const widthOf = ({ isTTY, columns }: Pick<Io, 'isTTY' | 'columns'>): number | null => (isTTY ? columns : null)

/**
 * The bubblewrap that tests of the sandbox use: the installed one, or one that the package manager downloads into a
 * temporary folder without being root. Where neither can be had these tests fail, with one line that says why: a
 * sandbox that is never tried is none.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { probeSandbox, type SandboxTool } from '../../src/platform/sandbox/probe.ts'

let found: SandboxTool | null = null

/** Throws when this machine has no sandbox and none can be had. */
export function sandboxTool(): SandboxTool {
  found ??= probed(process.env) ?? probed({ ...process.env, LOOPER_BWRAP: downloaded() })
  if (found === null)
    throw new Error('The tests of the sandbox need bubblewrap and user namespaces: neither works here.')
  return found
}

function probed(env: NodeJS.ProcessEnv): SandboxTool | null {
  const probe = probeSandbox({ env })
  return probe.ok ? probe.tool : null
}

/** Of the first test that asks; later ones find it. */
function downloaded(): string {
  const place = join(tmpdir(), `looper-bubblewrap-${process.getuid?.()}`)
  const program = join(place, 'usr/bin/bwrap')
  if (existsSync(program) && statSync(place).uid === process.getuid?.()) return program
  const folder = mkdtempSync(`${place}-`)
  try {
    const unpacked = join(folder, 'out')
    execFileSync('dpkg', ['-x', downloadTo(folder), unpacked], { stdio: 'ignore' })
    // Tests start it as other users too.
    chmodSync(unpacked, 0o755)
    renameSync(unpacked, place)
  } catch (error) {
    // Another test was quicker.
    if (existsSync(program)) return program
    const message = 'The tests of the sandbox need bubblewrap: install it, or let `apt-get download bubblewrap` work.'
    throw new Error(message, { cause: error })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return program
}

/** A fresh machine may have no lists of packages; users who are not root cannot update those of the system. */
function downloadTo(folder: string): string {
  const own = ['-o', `Dir::State::lists=${join(folder, 'lists')}`, '-o', `Dir::Cache=${join(folder, 'cache')}`]
  const apt = (...args: string[]): void =>
    void execFileSync('apt-get', ['-q', ...args], { cwd: folder, stdio: 'ignore' })
  try {
    apt('download', 'bubblewrap')
  } catch {
    mkdirSync(join(folder, 'lists', 'partial'), { recursive: true })
    apt('update', ...own)
    apt('download', 'bubblewrap', ...own)
  }
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '')
}

/**
 * The bubblewrap that tests of the sandbox use: the installed one, or one that the package manager downloads into a
 * temporary folder without being root. Where neither can be had these tests fail, with one line that says why: a
 * sandbox that is never tried is none.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
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

function downloaded(): string {
  const folder = mkdtempSync(join(tmpdir(), 'looper-bubblewrap-'))
  try {
    execFileSync('apt-get', ['download', 'bubblewrap'], { cwd: folder, stdio: 'ignore' })
    const archive = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? ''
    execFileSync('dpkg', ['-x', archive, 'out'], { cwd: folder, stdio: 'ignore' })
  } catch {
    throw new Error('The tests of the sandbox need bubblewrap: install it, or let `apt-get download bubblewrap` work.')
  }
  const program = join(folder, 'out/usr/bin/bwrap')
  // Tests start it as other users too.
  chmodSync(folder, 0o755)
  if (!existsSync(program)) throw new Error(`There is no bwrap in the package of ${folder}.`)
  return program
}

/** Another program in the place of git, for tests that need to be there when it is asked. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Project } from './project.ts'

/** A project in which `script` stands in for git; `$GIT` is the real one. */
export function withGit(script: string, create: () => Project): Project {
  const [path, folder] = [process.env['PATH'] ?? '', mkdtempSync(join(tmpdir(), 'looper-git-'))]
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nGIT='${real}'\n${script}\n`, { mode: 0o755 })
  process.env['PATH'] = `${folder}:${path}`
  try {
    return create()
  } finally {
    process.env['PATH'] = path
    onTestFinished(() => rmSync(folder, { recursive: true }))
  }
}

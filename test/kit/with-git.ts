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

/**
 * A script for `withGit`: git moves the branch so that `revision` is there, and Looper never hears of it. Creates the
 * file `landed` among the notes when that has happened.
 */
export const landsUnheard = (revision: string): string => `landed="$HOME/notes/landed"
case "$*" in
  *update-ref*)
    { "$GIT" "$@"; echo "exit $?"; } | while IFS= read -r line; do
      case "$line" in 'exit '*) exit "\${line#exit }"; esac
      if "$GIT" rev-parse -q --verify ${revision} >/dev/null && test ! -e "$landed"; then : > "$landed"; sleep 600; fi
      echo "$line"
    done ;;
  *) exec "$GIT" "$@" ;;
esac`

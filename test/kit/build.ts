/** Builds the program once before the tests, when a source is newer than what was built. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export default function build(): void {
  const built = join(root, 'dist', 'main.cjs')
  const newest = Math.max(...walk(join(root, 'src')).map((file) => statSync(file).mtimeMs))
  if (existsSync(built) && statSync(built).mtimeMs > newest) return
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'ignore' })
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? walk(join(folder, entry.name))
      : entry.name.endsWith('.test.ts')
        ? []
        : [join(folder, entry.name)],
  )
}

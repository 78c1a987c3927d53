/** Finds a file of environment variables that is in the checkout and not in a workspace: git does not track it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const isEnvFile = (name: string): boolean =>
  /^\.env(?:rc|\.[\w.-]+)?$/.test(name) && !/example|sample|template|dist$/.test(name)

/** The name of the first such file that sets the variable; null when there is none. */
export function envFileWith(variable: string, root: string, workspace: string): string | null {
  try {
    const names = readdirSync(root).filter(isEnvFile).toSorted()
    const sets = new RegExp(`^\\s*(?:export\\s+)?${variable}\\s*=`, 'm')
    return (
      names.find((name) => !existsSync(join(workspace, name)) && sets.test(readFileSync(join(root, name), 'utf8')))
      ?? null
    )
  } catch {
    return null
  }
}

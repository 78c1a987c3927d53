/** Finds a script that a check starts and that package.json does not have. Reports nothing when that is not certain. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** `npm test`, `npm run lint`, `pnpm run test`, `yarn run build`; nothing may choose another package. */
const scriptCall = /^(?:npm (test|t|tst)|(?:npm|pnpm|yarn|bun) (?:run|run-script) ([\w:.@/-]+))(?: -- [^&|;]*)?$/

/** The name of the missing script; null when it exists, or when the line is something else. */
export async function missingNpmScript(line: string, root: string): Promise<string | null> {
  const [called, test, named = 'test'] = scriptCall.exec(line.trim()) ?? []
  if (called === undefined) return null
  const name = test === undefined ? named : 'test'
  const scripts = scriptsIn(await readFile(join(root, 'package.json'), 'utf8').catch(() => ''))
  return scripts === null || Object.hasOwn(scripts, name) ? null : name
}

/** Null when the file is missing or not valid. */
function scriptsIn(text: string): object | null {
  try {
    const manifest: unknown = JSON.parse(text)
    if (typeof manifest !== 'object' || manifest === null) return null
    const scripts: unknown = 'scripts' in manifest ? manifest.scripts : {}
    return typeof scripts === 'object' ? scripts : null
  } catch {
    return null
  }
}

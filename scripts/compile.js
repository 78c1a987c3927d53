/** Leaves compiled code beside the program, for bin/looper.js: after a digest of it and of the program. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

/** @param {string} dist */
export function compile(dist) {
  for (const name of readdirSync(dist).filter((each) => each.endsWith('.cjs'))) {
    const code = readFileSync(join(dist, name), 'utf8')
    // A script with an `import()` would need a loader of its own.
    if (/\bimport\(/.test(code)) continue
    const data = compiled(Module.wrap(code), join(dist, name))
    const digest = createHash('sha256').update(code).update(data).digest()
    writeFileSync(join(dist, `${name}.code`), Buffer.concat([digest, data]))
  }
}

/**
 * Every function is compiled, not only the outermost ones. The flag is back at its default when the code is taken:
 * V8 rejects code that was compiled with other flags than its own.
 */
function compiled(code, filename) {
  setFlagsFromString('--no-lazy')
  const script = new Script(code, { filename })
  setFlagsFromString('--lazy')
  return script.createCachedData()
}

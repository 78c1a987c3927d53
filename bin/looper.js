#!/usr/bin/env node
/** Checks the runtime, then goes on with the built program in this same process. */
import { existsSync } from 'node:fs'
import module from 'node:module'

const built = new URL('../dist/main.js', import.meta.url)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`Node ${process.versions.node} is too old`, 'Install Node 20.19 or newer.')
} else if (!existsSync(built)) {
  refuse('it is not built yet', `Run \`npm ci\` in ${decodeURIComponent(new URL('..', import.meta.url).pathname)}`)
} else {
  // Newer Nodes keep compiled code between starts.
  module.enableCompileCache?.()
  const { main } = await import(built.href)
  process.exitCode = await main(process.argv.slice(2))
}

function refuse(what, hint) {
  process.stderr.write(`looper: ${what}\n  ${hint}\n`)
  process.exitCode = 2
}

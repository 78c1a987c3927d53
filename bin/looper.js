#!/usr/bin/env node
/** Checks the runtime, then goes on with the built program in this same process. */
'use strict'
const { existsSync } = require('node:fs')
const module_ = require('node:module')
const { join } = require('node:path')

const built = join(__dirname, '../dist/main.cjs')
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`Node ${process.versions.node} is too old`, 'Install Node 20.19 or newer.')
} else if (!existsSync(built)) {
  refuse('it is not built yet', `Run \`npm ci\` in ${join(__dirname, '..')}/`)
} else {
  // Newer Nodes keep compiled code between starts.
  module_.enableCompileCache?.()
  const { main } = require(built)
  void main(process.argv.slice(2)).then((code) => { process.exitCode = code })
}

function refuse(what, hint) {
  process.stderr.write(`looper: ${what}\n  ${hint}\n`)
  process.exitCode = 2
}

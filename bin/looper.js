#!/usr/bin/env node
/** Checks the runtime, then goes on with the built program in this same process. */
'use strict'
const { existsSync } = require('node:fs')
const module_ = require('node:module')
const { dirname, join } = require('node:path')

const dist = join(__dirname, '../dist')
const built = join(dist, 'main.cjs')
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`Node ${process.versions.node} is too old`, 'Install Node 20.19 or newer.')
} else if (!existsSync(built)) {
  refuse('it is not built yet', `Run \`npm ci\` in ${join(__dirname, '..')}/`)
} else {
  useCompiledCode()
  const { main } = require(built)
  void main(process.argv.slice(2)).then((code) => { process.exitCode = code })
}

/**
 * Newer Nodes keep compiled code between starts. For others the build leaves it beside the program: a cache folder that
 * agents can write to must not hold code that Looper runs. V8 ignores what another version of it has made.
 */
function useCompiledCode() {
  if (module_.enableCompileCache) return void module_.enableCompileCache()
  const { readFileSync } = require('node:fs')
  const vm = require('node:vm')
  const { _compile: compile } = module_.prototype
  module_.prototype._compile = function compileOnce(code, file) {
    const kept = dirname(file) === dist ? `${file}.code` : ''
    if (kept === '' || !existsSync(kept)) return compile.call(this, code, file)
    const script = new vm.Script(module_.wrap(code), { filename: file, cachedData: readFileSync(kept) })
    script.runInThisContext().call(this.exports, this.exports, module_.createRequire(file), this, file, dist)
  }
}

function refuse(what, hint) {
  process.stderr.write(`looper: ${what}\n  ${hint}\n`)
  process.exitCode = 2
}

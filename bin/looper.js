#!/usr/bin/env node
/** Checks the runtime, then goes on with the built program in this same process. */
'use strict'
const { existsSync, readFileSync } = require('node:fs')
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
  void main(process.argv.slice(2)).then((code) => {
    process.exitCode = code
  })
}

/**
 * The build leaves compiled code beside the program: a cache folder that agents can write to must not hold code that
 * Looper runs. V8 rejects code that another version of it compiled; it does not see damage, so that is compared here.
 */
function useCompiledCode() {
  const { createHash } = require('node:crypto')
  const { Script } = require('node:vm')
  const { _compile: compile } = module_.prototype
  module_.prototype._compile = function compileOnce(code, file, ...rest) {
    const data = dirname(file) === dist ? readCompiled(file, code, createHash) : null
    if (data === null) return compile.call(this, code, file, ...rest)
    const script = new Script(module_.wrap(code), { filename: file, cachedData: data })
    script.runInThisContext().call(this.exports, this.exports, module_.createRequire(file), this, file, dist)
  }
}

/**
 * The digest of the program and its compiled code comes first, then the code. Null when it is not there or not whole.
 */
function readCompiled(file, code, createHash) {
  try {
    const kept = readFileSync(`${file}.code`)
    const [digest, data] = [kept.subarray(0, 32), kept.subarray(32)]
    return createHash('sha256').update(code).update(data).digest().equals(digest) ? data : null
  } catch {
    return null
  }
}

function refuse(what, hint) {
  process.stderr.write(`looper: ${what}\n  ${hint}\n`)
  process.exitCode = 2
}

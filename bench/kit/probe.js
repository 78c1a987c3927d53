/** Asks a program that measures itself, in a process of its own, and takes its one line of JSON. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** @param {string} program @param {string[]} args */
export async function ask(program, ...args) {
  const { stdout } = await run(process.execPath, [program, ...args])
  return JSON.parse(stdout)
}

/** Asks a program that measures itself, in a process of its own, and takes its one line of JSON. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Through a shell that forks: a program begins with the peak of memory of the one that started it, and this one is
 * large.
 * @param {string} program @param {string[]} args
 */
export async function ask(program, ...args) {
  const { stdout } = await run('sh', ['-c', '"$@"; exit $?', 'ask', process.execPath, program, ...args])
  return JSON.parse(stdout)
}

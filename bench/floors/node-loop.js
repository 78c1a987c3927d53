/**
 * The floor of a turn: a bare Node loop that starts the agent detached, its prompt and its stream in files, and makes
 * one line per turn durable. It reads no answer, watches over nothing and could not be resumed.
 *   node node-loop.js <turns> <folder> <prompt> <agent> [argument…]
 */
import { spawn } from 'node:child_process'
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const [turns, folder, prompt, program, ...args] = process.argv.slice(2)
const journal = openSync(join(folder, 'journal'), 'a')

for (let turn = 1; turn <= Number(turns); turn++) {
  const input = openSync(prompt, 'r')
  const stream = openSync(join(folder, `stream.${turn}`), 'a')
  const env = { PATH: process.env.PATH, LOOPER_ROLE: 'coder', LOOPER_RESULT_FILE: join(folder, `result.${turn}`) }
  const agent = spawn(program, args, { detached: true, env, stdio: [input, stream, stream] })
  closeSync(input)
  closeSync(stream)
  const code = await new Promise((resolve) => agent.once('exit', resolve))
  writeSync(journal, `${JSON.stringify({ turn, code })}\n`)
  fdatasyncSync(journal)
}

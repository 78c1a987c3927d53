/** Reads the goal from an argument, a file, stdin, or `LOOP_SPEC` of a pipeline. Empty when none is given. */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { LooperError } from '../../api/error.ts'
import { plain } from '../../views/text/plain-text.ts'
import type { CliContext } from './context.ts'

const maxChars = 200_000

export async function readGoal(
  { io, cwd }: CliContext,
  argument: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (argument !== undefined && file !== undefined) {
    throw new LooperError('USAGE_ARGUMENTS', 'a goal and --goal-file cannot be used together', {
      hint: 'Give one of them.',
    })
  }
  const goal = (await text(argument, file)).trim()
  // Some workflows need no goal, but a given argument or file must not be empty.
  if (goal === '' && (argument !== undefined || file !== undefined))
    throw new LooperError('USAGE_NO_GOAL', 'there is no goal')
  if (goal !== '' && !/\p{L}/u.test(goal)) throw new LooperError('USAGE_NO_GOAL', `'${plain(goal, 40)}' is not a goal`)
  if (goal.length <= maxChars) return goal
  throw new LooperError('USAGE_ARGUMENTS', `the goal is too long (more than ${maxChars} characters)`, {
    hint: 'Put the details in a file of the repository and name it in the goal.',
  })

  async function text(given: string | undefined, path: string | undefined): Promise<string> {
    if (path !== undefined) return fileText('--goal-file', resolve(cwd, path))
    if (given === undefined) return specText(cwd, io.env.LOOP_SPEC ?? '')
    return given === '-' ? allOf(io.stdin) : given
  }
}

/** The variable contains the goal, or the path of a file with the goal. */
async function specText(cwd: string, spec: string): Promise<string> {
  const path = resolve(cwd, spec)
  const isFile = spec.trim() !== '' && spec.length < 4096 && (await stat(path).catch(() => null))?.isFile() === true
  return isFile ? readFile(path, 'utf8') : spec
}

/** Reads the user's own prompt, which may use the variables of a stage. */
export async function readPrompt({ cwd }: CliContext, path: string): Promise<string> {
  const text = await fileText('--prompt-file', resolve(cwd, path))
  if (text.trim() !== '') return text
  throw new LooperError('USAGE_ARGUMENTS', `--prompt-file: ${path} is empty`, {
    hint: 'Name a file that says what to do.',
  })
}

async function fileText(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new LooperError('USAGE_ARGUMENTS', `${flag}: cannot read ${path}`, {
      hint: 'Name a file that exists.',
      cause: error,
    })
  }
}

/** Stops reading soon after the maximum length of a goal. */
async function allOf(stream: AsyncIterable<unknown>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += chunk instanceof Uint8Array ? decoder.decode(chunk, { stream: true }) : String(chunk)
    if (text.length > maxChars * 2) break
  }
  return text + decoder.decode()
}

/** Finds out about an installed Codex without a request to a model. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wayToLogIn } from '../../model/login.ts'
import type { Probe, ProbeRequest } from '../adapter.ts'
import { askVersion } from '../version.ts'

const openSandbox = 'add "-c", "sandbox_mode=\\"danger-full-access\\"" to the agent\'s args'

export async function probe(request: ProbeRequest): Promise<Probe> {
  const { version, problems } = await askVersion(request, 'codex')
  if (version === null) return { version, login: 'unknown', problems }
  const login = await findLogin(request)
  const sandbox = await trySandbox(request)
  return {
    version,
    login,
    problems: [
      ...(login === 'no' ? [`Not logged in: ${adviceFor(request)}.`] : []),
      ...(sandbox === null ? [] : [sandbox]),
    ],
  }
}

async function findLogin(request: ProbeRequest): Promise<Probe['login']> {
  if (request.env['CODEX_API_KEY']) return 'yes'
  const { exitCode, stdout, stderr } = await request.ask(['login', 'status'])
  if (exitCode === 0) return 'yes'
  // A provider other than OpenAI needs no login with OpenAI.
  return (await hasOwnProvider(request)) || !/not logged in/i.test(stdout + stderr) ? 'unknown' : 'no'
}

export const missingLogin = async (request: ProbeRequest): Promise<string | null> =>
  (await findLogin(request)) === 'no' ? adviceFor(request) : null

const adviceFor = ({ env }: ProbeRequest): string | null =>
  env['OPENAI_API_KEY']
    ? 'codex does not read OPENAI_API_KEY. Set CODEX_API_KEY, '
      + 'or run `printenv OPENAI_API_KEY | codex login --with-api-key`'
    : wayToLogIn('codex')

const provider = /^\s*model_provider\s*=\s*["'](?!openai["'])/m

async function hasOwnProvider({ agent, env, home }: ProbeRequest): Promise<boolean> {
  if (agent.args?.some((arg) => provider.test(arg))) return true
  const file = join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml')
  return provider.test(await readFile(file, 'utf8').catch(() => ''))
}

/** Judges run in Codex's sandbox. Where the system does not allow a sandbox, none of their commands run. */
async function trySandbox({ ask }: ProbeRequest): Promise<string | null> {
  const { exitCode, stderr } = await ask(['sandbox', '-c', 'sandbox_mode="read-only"', '--', 'true'])
  if (exitCode === 0 || !/bwrap|bubblewrap|namespace|landlock|seccomp|seatbelt|sandbox-exec/i.test(stderr)) return null
  const why = stderr.trim().split('\n').at(-1)?.slice(0, 200) ?? ''
  return `Its sandbox does not work here (${why}): allow it, or ${openSandbox}.`
}

/** Finds out about an installed OpenCode without a request to a model. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Probe, ProbeRequest } from '../adapter.ts'
import { parseObject } from '../json.ts'
import { askVersion } from '../version.ts'

const keys = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENCODE_API_KEY',
]

export async function probe(request: ProbeRequest): Promise<Probe> {
  const { version, problems } = await askVersion(request, 'opencode')
  return { version, login: version === null ? 'unknown' : await findLogin(request), problems }
}

/** Any provider is enough, and some need no login, so a missing login proves nothing. */
async function findLogin({ env, home }: ProbeRequest): Promise<Probe['login']> {
  if (keys.some((key) => env[key])) return 'yes'
  const file = join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'opencode', 'auth.json')
  const logins = parseObject(await readFile(file, 'utf8').catch(() => null))
  return logins !== null && Object.keys(logins).length > 0 ? 'yes' : 'unknown'
}

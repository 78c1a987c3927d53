/** Finds out about an installed Claude Code without a request to a model. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { wayToLogIn } from '../../model/login.ts'
import type { Probe, ProbeRequest } from '../adapter.ts'
import { parseObject } from '../json.ts'
import { askVersion, atLeast } from '../version.ts'

const keys = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']
/** Cloud providers, whose logins Claude Code does not know. */
const clouds = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX']

/** Earlier versions have no `auth status` and would take these words for a prompt. */
const knowsAuth = [2, 1, 100] as const

export async function probe(request: ProbeRequest): Promise<Probe> {
  const { version, problems } = await askVersion(request, 'claude')
  if (version === null) return { version, login: 'unknown', problems }
  if (clouds.some((name) => request.env[name])) return { version, login: 'unknown', problems }
  const login = atLeast(version, knowsAuth) ? await askLogin(request) : await guessLogin(request)
  return { version, login, problems: login === 'no' ? [`Not logged in: ${wayToLogIn('claude')}.`] : [] }
}

export async function missingLogin(request: ProbeRequest): Promise<string | null> {
  if ((await guessLogin(request)) === 'yes') return null
  return (await probe(request)).login === 'no' ? wayToLogIn('claude') : null
}

async function askLogin(request: ProbeRequest): Promise<Probe['login']> {
  const { stdout } = await request.ask(['auth', 'status', '--json'])
  const isLoggedIn = parseObject(stdout)?.['loggedIn']
  return typeof isLoggedIn === 'boolean' ? (isLoggedIn ? 'yes' : 'no') : guessLogin(request)
}

/** A login may also be in the system's keychain, so a missing file proves nothing. */
async function guessLogin({ env, home }: ProbeRequest): Promise<Probe['login']> {
  if (keys.some((key) => env[key])) return 'yes'
  const file = join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), '.credentials.json')
  return access(file).then(
    () => 'yes' as const,
    () => 'unknown' as const,
  )
}

/** Finds out about an installed Gemini CLI without a request to a model. */
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wayToLogIn } from '../../model/login.ts'
import type { Probe, ProbeRequest } from '../adapter.ts'
import { askVersion } from '../version.ts'
import { takesTools, type Machine } from './plan.ts'

const keys = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA']
const credentials = ['oauth_creds.json', 'gemini-credentials.json']

export const createProbe =
  (machine: Machine) =>
  async (request: ProbeRequest): Promise<Probe> => {
    const structured = takesTools(machine, request.env) ? 'tool' : 'words'
    const { version, problems } = await askVersion(request, 'gemini')
    if (version === null) return { version, login: 'unknown', structured, problems }
    const login = await findLogin(request)
    return { version, login, structured, problems: login === 'no' ? [`No login found: ${wayToLogIn('gemini')}.`] : [] }
  }

export const missingLogin = async (request: ProbeRequest): Promise<string | null> =>
  (await findLogin(request)) === 'no' ? wayToLogIn('gemini') : null

/**
 * Gemini CLI needs a chosen login method to start. Whether that login still works, or is in the system's keychain,
 * cannot be seen.
 */
async function findLogin({ env, home }: ProbeRequest): Promise<Probe['login']> {
  if (keys.some((key) => env[key])) return 'yes'
  const folder = join(env['GEMINI_CLI_HOME'] || home, '.gemini')
  const exists = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    )
  for (const name of credentials) if (await exists(join(folder, name))) return 'yes'
  const settings = await readFile(join(folder, 'settings.json'), 'utf8').catch(() => '')
  const isChosen =
    /"selectedType"\s*:\s*"./.test(settings)
    || (await exists(join(folder, '.env')))
    || (await exists(join(home, '.env')))
  return isChosen ? 'unknown' : 'no'
}

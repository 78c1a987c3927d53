/** Looper's own folder in the user's cache folder: workspaces, caches of checks, memories of preflights. */
import { isAbsolute, join } from 'node:path'

type Variables = Readonly<Record<string, string | undefined>>

/** As the XDG specification says, a relative path in the variable does not count. */
export const userCacheFolder = (env: Variables, home: string): string => {
  const set = env['XDG_CACHE_HOME']
  return set && isAbsolute(set) ? set : join(home, '.cache')
}

export const cacheFolder = (env: Variables, home: string): string => join(userCacheFolder(env, home), 'looper')

/** What Looper itself writes there. */
export const cacheEntries = ['workspaces', 'caches', 'preflight', 'sandbox.json']

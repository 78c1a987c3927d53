/**
 * Selects the parts of a home folder to compare: its own entries, and files and folders in which a change takes effect
 * later, such as keys, start-up files, tool settings and programs on the usual PATH.
 */
import { basename, dirname, join } from 'node:path'
import { cacheFolder, userCacheFolder } from '../../platform/cache-folder.ts'
import { cachePaths, credentialPaths } from '../../platform/sandbox/home-paths.ts'

export interface HomeOptions {
  home: string
  env: Readonly<Record<string, string | undefined>>
  /** Settings of agents. They take effect when the user starts an agent. */
  settings: readonly string[]
  /** Paths that agents may write to: their state, and the paths that the configuration allows. */
  allowed: readonly string[]
}

export interface HomePaths {
  /** Folders whose entries are compared. */
  folders: string[]
  files: string[]
  /** Whether the path is excluded from the comparison. */
  isOwn: (path: string) => boolean
}

const folders = [
  '',
  '.ssh',
  '.config',
  '.config/git',
  '.config/looper',
  '.config/gh',
  '.config/fish',
  '.config/fish/conf.d',
  '.config/systemd/user',
  '.config/autostart',
  '.config/environment.d',
  '.config/pip',
  '.local/bin',
  'bin',
  '.cargo/bin',
  'go/bin',
  '.local/share/applications',
  'Library/LaunchAgents',
]
const files = [
  '.cargo/config.toml',
  '.cargo/config',
  '.cargo/env',
  '.m2/settings.xml',
  '.gradle/init.gradle',
  '.pip/pip.conf',
  '.aws/config',
  '.aws/credentials',
  '.kube/config',
  '.docker/config.json',
  '.gnupg/gpg.conf',
  '.gnupg/gpg-agent.conf',
]

/** Shells, pagers, editors and desktops write these files all the time. */
const records = new RegExp(
  `^(?:${[
    '\\..*history',
    '\\.lesshst',
    '\\.viminfo',
    '\\.wget-hsts',
    '\\.xsession-errors.*',
    '\\.(?:X|ICE)authority',
    '\\.DS_Store',
  ].join('|')})$`,
)

export function homePaths({ home, env, settings, allowed }: HomeOptions): HomePaths {
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config')
  const cache = userCacheFolder(env, home)
  const resolvePath = (path: string): string =>
    /^\.config(?:\/|$)/.test(path) ? join(config, path.slice('.config'.length)) : join(home, path)
  const isRecord = (path: string): boolean => dirname(path) === home && records.test(basename(path))
  const named = new Set([...settings, ...credentialPaths({ path: home, env }), ...files.map(resolvePath)])
  const caches = new Set([cache, ...cachePaths({ path: home, env }).map(({ path }) => path)])
  const below = allowed.map((path) => `${path}/`)
  const isAllowed = (path: string): boolean => below.some((each) => `${path}/`.startsWith(each))
  return {
    folders: [...folders.map(resolvePath), cacheFolder(env, home)],
    files: [...named].filter((path) => !isRecord(path)),
    isOwn: (path) => isRecord(path) || (!named.has(path) && (caches.has(path) || isAllowed(path))),
  }
}

/** The user's settings of git at the start of a run, saved so that a resumed run uses the same. */
import { lstatSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ifExists, readNow } from '../../platform/files.ts'
import {
  loadsLazily,
  readConfigList,
  settingsForClones,
  settingsForLooper,
  valueOf,
  type ConfigEntry,
} from './frozen-config.ts'
import { gitError, tryGitScript } from './git.ts'
import { ignoreFileOf } from './user-settings.ts'

/** Saved to disk, so that a resumed run uses the settings of its start. */
export interface FrozenSettings {
  version: 1
  config: ConfigEntry[]
  clones: ConfigEntry[]
  identity: ConfigEntry[]
  ignoreRules: string
  attributes: string
  infoAttributes: string
  infoExclude: string
  refs: string
}

const captureScript = [
  'git config --list --show-scope -z || exit',
  String.raw`printf '\0\0'`,
  "exec git for-each-ref '--format=%(objectname) %(refname)%00%(*objectname)' refs/heads refs/remotes refs/tags",
].join('\n')

export async function captureSettings(
  root: string,
  commonDir: string,
  branch: string,
  mark: string,
): Promise<FrozenSettings> {
  const result = await tryGitScript(captureScript, [], { cwd: root, mark })
  if (result.exitCode !== 0) throw gitError(['config'], result)
  const end = result.stdout.lastIndexOf('\0\0\0')
  const entries = readConfigList(result.stdout.slice(0, end + 1))
  const lazily = loadsLazily(entries) || ifExists(() => lstatSync(join(commonDir, 'lfs')), commonDir) !== null
  const text = (file: string): string => readNow(file)?.toString('utf8') ?? ''
  return {
    version: 1,
    config: settingsForLooper(entries, lazily),
    clones: settingsForClones(entries, loadsLazily(entries)),
    identity: entries.filter(({ key }) => /^(?:user|author|committer)\.(?:name|email)$/.test(key)),
    ignoreRules: text(ignoreFileOf(root, valueOf(entries, 'core.excludesfile'))),
    attributes: text(attributesFileOf(root, valueOf(entries, 'core.attributesfile'))),
    infoAttributes: text(join(commonDir, 'info', 'attributes')),
    infoExclude: text(join(commonDir, 'info', 'exclude')),
    refs: packedRefs(result.stdout.slice(end + 3), `refs/heads/${branch}`),
  }
}

/** Like git's own file: sorted, each tag followed by the commit that it points to. */
function packedRefs(listed: string, without: string): string {
  const lines = listed
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [ref = '', peeled = ''] = line.split('\0')
      if (ref.endsWith(` ${without}`)) return []
      return peeled === '' ? [ref] : [ref, `^${peeled}`]
    })
  return ['# pack-refs with: peeled fully-peeled sorted ', ...lines, ''].join('\n')
}

function attributesFileOf(root: string, configured: string | undefined): string {
  const home = process.env['HOME'] || homedir()
  if (configured) return configured.startsWith('~/') ? join(home, configured.slice(2)) : resolve(root, configured)
  return join(process.env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git', 'attributes')
}

export function readSettings(file: string): FrozenSettings | null {
  try {
    const read: Partial<FrozenSettings> = JSON.parse(readNow(file)?.toString('utf8') ?? '{}')
    const texts = [read.ignoreRules, read.attributes, read.infoAttributes, read.infoExclude, read.refs]
    const isWhole =
      read.version === 1
      && texts.every((text) => typeof text === 'string')
      && [read.config, read.clones, read.identity].every((list) => Array.isArray(list) && list.every(isEntry))
    return isWhole ? (read as FrozenSettings) : null
  } catch {
    return null
  }
}

const isEntry = (entry: Partial<ConfigEntry> | null): boolean =>
  typeof entry?.scope === 'string' && typeof entry.key === 'string' && typeof entry.value === 'string'

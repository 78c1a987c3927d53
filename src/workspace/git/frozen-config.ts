/**
 * Selects the user's git settings that Looper's own git and the clones use, and writes them to a configuration file.
 */

export interface ConfigEntry {
  scope: string
  key: string
  value: string
}

/** Parses `git config --list --show-scope -z`. Command line settings are Looper's own and are omitted. */
export function readConfigList(listed: string): ConfigEntry[] {
  const tokens = listed.split('\0')
  const entries: ConfigEntry[] = []
  for (let at = 0; at + 1 < tokens.length; at += 2) {
    const [scope = '', entry = ''] = [tokens[at], tokens[at + 1]]
    const end = entry.indexOf('\n')
    // A key without a value means true.
    const [key, value] = end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)]
    if (scope !== 'command') entries.push({ scope, key, value })
  }
  return entries
}

const content = /^(?:filter|merge|diff|user|author|committer|lfs|i18n)\./
const core = new Set(
  [
    'autocrlf',
    'eol',
    'filemode',
    'symlinks',
    'ignorecase',
    'precomposeunicode',
    'protecthfs',
    'protectntfs',
    'trustctime',
    'checkstat',
    'bigfilethreshold',
    'compression',
    'loosecompression',
    'logallrefupdates',
    'checkroundtripencoding',
    'sharedrepository',
    'fsync',
    'fsyncmethod',
    'whitespace',
  ].map((name) => `core.${name}`),
)
const format = /^extensions\.(?:objectformat|compatobjectformat)$/
const storage = /^extensions\.refstorage$/
const files = /^core\.(?:attributesfile|excludesfile)$/
/**
 * Settings that git needs to fetch missing objects. They may contain credentials, so they are kept only where objects
 * can be missing.
 */
const loading =
  /^(?:remote|credential|url|http|ssh|protocol)\.|^extensions\.partialclone$|^core\.(?:sshcommand|gitproxy|askpass)$/

export const loadsLazily = (entries: readonly ConfigEntry[]): boolean =>
  entries.some(({ key }) => key === 'extensions.partialclone' || /^remote\..+\.promisor$/.test(key))

/** Settings for Looper's own git: everything that determines how content is read, merged and stored, from any scope. */
export function settingsForLooper(entries: readonly ConfigEntry[], lazily: boolean): ConfigEntry[] {
  const wanted = ({ key }: ConfigEntry): boolean =>
    content.test(key) || core.has(key) || format.test(key) || storage.test(key) || (lazily && loading.test(key))
  return entries.filter(wanted)
}

/** Settings for a clone: only those of the repository, because the agent's git reads the global ones itself. */
export function settingsForClones(entries: readonly ConfigEntry[], lazily: boolean): ConfigEntry[] {
  const isLocal = ({ scope }: ConfigEntry): boolean => scope === 'local' || scope === 'worktree'
  const wanted = ({ key }: ConfigEntry): boolean =>
    content.test(key)
    || core.has(key)
    || format.test(key)
    || files.test(key)
    || (lazily && loading.test(key) && !key.startsWith('credential.'))
  return entries.filter((entry) => isLocal(entry) && wanted(entry))
}

/** The last value of a key wins. */
export const valueOf = (entries: readonly ConfigEntry[], key: string): string | undefined =>
  entries.findLast((entry) => entry.key === key)?.value

/** Renders a configuration file; `more` comes last and wins. */
export function renderConfig(
  entries: readonly Pick<ConfigEntry, 'key' | 'value'>[],
  more: Record<string, string>,
): string {
  const hasExtension = entries.some(({ key }) => key.startsWith('extensions.'))
  const own = Object.entries({
    'core.repositoryformatversion': hasExtension ? '1' : '0',
    'core.bare': 'false',
    ...more,
  })
  return [...entries, ...own.map(([key, value]) => ({ key, value }))]
    .map(({ key, value }) => {
      const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
      const subsection = first === last ? '' : ` "${key.slice(first + 1, last).replace(/[\\"]/g, String.raw`\$&`)}"`
      return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)} = ${quoted(value)}\n`
    })
    .join('')
}

const quoted = (value: string): string =>
  `"${value
    .replace(/[\\"]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)}"`

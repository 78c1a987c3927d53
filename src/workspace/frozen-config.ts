/** Which of the user's git settings Looper's own git and the clones take over, and how they are written to a file. */

export interface ConfigEntry {
  scope: string
  key: string
  value: string
}

/** Reads `git config --list --show-scope -z`. Settings from the command line are Looper's own. */
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
/** What git needs to load missing objects. May hold credentials, so it is kept only where objects can be missing. */
const loading =
  /^(?:remote|credential|url|http|ssh|protocol)\.|^extensions\.partialclone$|^core\.(?:sshcommand|gitproxy|askpass)$/

export const loadsLazily = (entries: readonly ConfigEntry[]): boolean =>
  entries.some(({ key }) => key === 'extensions.partialclone' || /^remote\..+\.promisor$/.test(key))

/** For Looper's own git: everything that says how content is read, merged and stored, from any scope. */
export function settingsForLooper(entries: readonly ConfigEntry[], lazily: boolean): ConfigEntry[] {
  const wanted = ({ key }: ConfigEntry): boolean =>
    content.test(key) || core.has(key) || format.test(key) || storage.test(key) || (lazily && loading.test(key))
  return entries.filter(wanted)
}

/** For a clone: the repository's own settings; its agent reads the global ones itself. */
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

/** The text of a configuration file; `more` comes last. */
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

/**
 * Whether a rule may ignore a file. Git decides in earnest; this only finds files that certainly no rule ignores. A
 * rule matches a file or a folder above it, and then its last part matches the name of that file or folder.
 */

/** The rules of a file in the format of `.gitignore`, as patterns of names. */
export function nameRules(text: string): RegExp[] {
  return text.split('\n').flatMap((line) => {
    // An exception only takes files out again.
    if (line === '' || line.startsWith('#') || line.startsWith('!')) return []
    const last =
      line
        .replace(/[ \r]+$/, '')
        .replace(/\/+$/, '')
        .split('/')
        .at(-1) ?? ''
    return last === '' ? [] : [nameRule(last)]
  })
}

/** Sets and quotes are rare, so such a rule counts as one that matches everything. */
function nameRule(part: string): RegExp {
  if (/[[\\]/.test(part)) return /^/
  const text = part
    .replace(/[.+^${}()|]/g, String.raw`\$&`)
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${text}$`, 's')
}

export const mayBeIgnored = (path: string, rules: readonly RegExp[]): boolean =>
  path.split('/').some((name) => rules.some((rule) => rule.test(name)))

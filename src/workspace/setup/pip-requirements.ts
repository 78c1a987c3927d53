/** Checks whether pip needs only a requirements file to install packages. Pure. */

/**
 * pip splits lines as Python does: at every control character except a tab, and at Unicode line and paragraph
 * separators.
 */
const ends = /[^\P{Cc}\t]|[\p{Zl}\p{Zp}]/u
const options = /^--(?:require-hashes|(?:extra-)?index-url[ =]https?:\/\/\S+|(?:only|no)-binary[ =]\S+|hash=\S+)$/
const requirement = /^[a-z\d][\w.,<>=!~*+()[\] \t-]*$/i
const archive = /\.(?:whl|zip|tar|tgz|tbz|txz|tlz)\b/i

/**
 * False when a line may name a path, as `-e .` and `./lib` do, or another file. A line in an unknown format counts as
 * one.
 */
export const namesPackagesOnly = (text: string): boolean => text.split(ends).every(isPackage)

function isPackage(line: string): boolean {
  const [named = ''] = line
    .replace(/(?:^|\s)#.*$/, '')
    .replace(/\s\\$/, '')
    .split(';')
  const found = named.replace(/(?:\s--hash=\S+)+\s*$/, '').trim()
  return found === '' || options.test(found) || (requirement.test(found) && !archive.test(found))
}

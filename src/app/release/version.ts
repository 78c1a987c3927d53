/** Parses, compares and raises versions as defined by semver.org. */

export interface Version {
  major: number
  minor: number
  patch: number
  /** The pre-release parts after the dash; empty for a final release. */
  pre: readonly string[]
  /** The build metadata after the plus; ignored in comparisons. */
  build: string
}

export const levels = ['major', 'minor', 'patch'] as const
export type Level = (typeof levels)[number]

const number = String.raw`(0|[1-9]\d{0,8})`
const parts = String.raw`([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)`
const shape = new RegExp(String.raw`^${number}\.${number}\.${number}(?:-${parts})?(?:\+${parts})?$`)

/** Null when the text is not a valid version. */
export function parseVersion(text: string): Version | null {
  const [, major, minor, patch, pre, build = ''] = shape.exec(text) ?? []
  if (major === undefined || text.length > 64) return null
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    pre: pre === undefined ? [] : pre.split('.'),
    build,
  }
}

export const versionText = ({ major, minor, patch, pre, build }: Version): string =>
  `${major}.${minor}.${patch}${pre.length === 0 ? '' : `-${pre.join('.')}`}${build === '' ? '' : `+${build}`}`

/** Negative when `a` is lower. */
export function compareVersions(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePre(a.pre, b.pre)
}

/** A final release is higher than its pre-releases. */
function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Number(a.length === 0) - Number(b.length === 0)
  for (const [index, one] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const difference = comparePart(one, other)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Numbers are compared by value, and are lower than words. */
function comparePart(a: string, b: string): number {
  const numeric = [a, b].map((part) => /^\d+$/.test(part))
  if (numeric[0] !== numeric[1]) return numeric[0] === true ? -1 : 1
  if (numeric[0] === true) return a.length - b.length || (a < b ? -1 : Number(a > b))
  return a < b ? -1 : Number(a > b)
}

/** A pre-release becomes its final release: patch of 1.2.3-rc.1 is 1.2.3. */
export function raise({ major, minor, patch, pre }: Version, level: Level): Version {
  const led = pre.length > 0
  const plain = { pre: [], build: '' }
  switch (level) {
    case 'major':
      return { ...plain, major: led && minor === 0 && patch === 0 ? major : major + 1, minor: 0, patch: 0 }
    case 'minor':
      return { ...plain, major, minor: led && patch === 0 ? minor : minor + 1, patch: 0 }
    case 'patch':
      return { ...plain, major, minor, patch: led ? patch : patch + 1 }
  }
}

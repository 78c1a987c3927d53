/** Matches paths with globs. An agent may have written the glob, so each character of the path is read only once. */

// `**` is any text, `*` and `?` stay within a folder, `**/` is any number of folders; any other token is one character.
const tokensOf = (glob: string): string[] => glob.match(/\*\*\/|\*\*|[^]/g) ?? []

/** A glob that names a folder matches everything in it. A leading `/` or `./` is ignored. */
export function matchesPath(glob: string, path: string): boolean {
  const name = glob.replace(/^\.?\//, '')
  const tokens = tokensOf(name.endsWith('/') || name === '' ? `${name}**` : name)
  let positions = new Set<number>()
  enter(tokens, 0, positions)
  for (let at = 0; at < path.length; at++) {
    const character = path.charAt(at)
    // The whole glob has matched a folder of the path.
    if (character === '/' && at > 0 && positions.has(tokens.length)) return true
    positions = step(tokens, positions, character)
    if (positions.size === 0) return false
  }
  return positions.has(tokens.length)
}

/** Adds a position in the glob, and the positions after it that match without a character. */
function enter(tokens: readonly string[], index: number, positions: Set<number>): void {
  positions.add(index)
  const token = tokens[index]
  if (token === '*' || token === '**' || token === '**/') enter(tokens, index + 1, positions)
}

function step(tokens: readonly string[], positions: ReadonlySet<number>, character: string): Set<number> {
  const next = new Set<number>()
  for (const index of positions) {
    const token = tokens[index]
    if (token === '**/' && character !== '/') next.add(index)
    else if (token === '**' || token === '**/' || (token === '*' && character !== '/')) enter(tokens, index, next)
    else if (token === character || (token === '?' && character !== '/')) enter(tokens, index + 1, next)
  }
  return next
}

/** Matches paths with globs. An agent may have written the glob, so each character of the path is read only once. */

// `**` is any text, `*` and `?` stay within a folder, `**/` is any number of folders; any other token is one character.
const tokensOf = (glob: string): string[] => glob.match(/\*\*\/|\*\*|[^]/g) ?? []

/** A glob that names a folder matches everything in it. A leading `/` or `./` is ignored. */
export function matchesPath(glob: string, path: string): boolean {
  const name = glob.replace(/^\.?\//, '')
  const tokens = tokensOf(name.endsWith('/') || name === '' ? `${name}**` : name)
  let places = new Set<number>()
  enter(tokens, 0, places)
  for (let at = 0; at < path.length; at++) {
    const character = path[at] as string
    // The whole glob has matched a folder of the path.
    if (character === '/' && at > 0 && places.has(tokens.length)) return true
    places = step(tokens, places, character)
    if (places.size === 0) return false
  }
  return places.has(tokens.length)
}

/** Adds a position in the glob, and the positions after it that match without a character. */
function enter(tokens: readonly string[], place: number, places: Set<number>): void {
  places.add(place)
  const token = tokens[place]
  if (token === '*' || token === '**' || token === '**/') enter(tokens, place + 1, places)
}

function step(tokens: readonly string[], places: ReadonlySet<number>, character: string): Set<number> {
  const next = new Set<number>()
  for (const place of places) {
    const token = tokens[place]
    if (token === '**/' && character !== '/') next.add(place)
    else if (token === '**' || token === '**/' || (token === '*' && character !== '/')) enter(tokens, place, next)
    else if (token === character || (token === '?' && character !== '/')) enter(tokens, place + 1, next)
  }
  return next
}

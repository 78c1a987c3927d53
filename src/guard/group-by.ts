/** `Map.groupBy` for Node versions that do not have it. */
export function groupBy<Each>(list: Iterable<Each>, keyOf: (each: Each) => string): Map<string, Each[]> {
  const groups = new Map<string, Each[]>()
  for (const each of list) {
    const key = keyOf(each)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [each])
    else group.push(each)
  }
  return groups
}

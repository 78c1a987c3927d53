/** An item, those that it needs, and those that they need. */
export function closure<Item>(first: Item, needs: (item: Item) => Iterable<Item>): Item[] {
  const found = new Set([first])
  for (const each of found) for (const other of needs(each)) found.add(other)
  return [...found]
}

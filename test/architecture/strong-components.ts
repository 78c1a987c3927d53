/** Cycles in a graph: its strongly connected components of more than one node, and nodes that point to themselves. */

export type Graph = ReadonlyMap<string, readonly string[]>

/** Tarjan's algorithm. Targets that are no nodes of the graph are left out. */
export function cyclesIn(graph: Graph): string[][] {
  const order = new Map<string, number>()
  const open: string[] = []
  const cycles: string[][] = []

  function visit(node: string): number {
    const at = order.size
    order.set(node, at)
    open.push(node)
    let lowest = at
    for (const target of graph.get(node) ?? []) {
      if (!graph.has(target)) continue
      const known = order.get(target)
      if (known === undefined) lowest = Math.min(lowest, visit(target))
      else if (open.includes(target)) lowest = Math.min(lowest, known)
    }
    if (lowest === at) close(node)
    return lowest
  }

  function close(node: string): void {
    const component = open.splice(open.indexOf(node))
    if (component.length > 1 || graph.get(node)?.includes(node)) cycles.push(component.toSorted())
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return cycles
}

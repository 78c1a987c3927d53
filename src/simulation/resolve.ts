/** How virtual coders resolve conflicts: both sides stay, markers stay, or the other side is lost. */
import { sidesOf, type Files } from './virtual-git.ts'

export const waysToResolve = ['both', 'both', 'both', 'both', 'both', 'both', 'markers', 'own', 'own'] as const

export function resolved(files: Files, way: (typeof waysToResolve)[number]): Files {
  if (way === 'markers') return files
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      const sides = sidesOf(text)
      if (sides === null) return [path, text]
      return [path, way === 'own' || path !== 'shared.txt' ? sides.theirs : united(sides.ours, sides.theirs)]
    }),
  )
}

/** The union of both lists, without duplicates. */
const united = (ours: string, theirs: string): string =>
  [...new Set([...ours.split('|'), ...theirs.split('|')])].join('|')

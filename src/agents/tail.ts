/** Keeps the end of an agent's text in bounded memory. */

export interface Tail {
  add(text: string): void
  read(): string
}

export function createTail(chars = 2_000): Tail {
  let kept = ''
  return {
    add(text) {
      kept = `${kept}${text.slice(-chars)}\n`
      if (kept.length > 4 * chars) kept = kept.slice(-chars)
    },
    read: () => kept.slice(-chars),
  }
}

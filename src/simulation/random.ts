/**
 * Seeded random numbers. A fork depends only on the seed and a label, so the result of work does not depend on timing.
 */

export interface Random {
  /** At least 0 and less than 1. */
  next(): number
  /** An integer, both ends included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(options: readonly [T, ...T[]]): T
  fork(label: string): Random
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (options) => options[int(0, options.length - 1)] ?? options[0],
    fork: (label) => createRandom(hash(seed, label)),
  }
}

export function hash(seed: number, text: string): number {
  let mixed = (seed ^ 0x9e3779b9) >>> 0
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** The bounds of a turn. */

/** Bounds of a turn whose excess ends it, with or without an engine. */
export const excesses = ['timeout', 'stalled', 'flooded', 'overspent', 'disk', 'circling'] as const
export type Excess = (typeof excesses)[number]

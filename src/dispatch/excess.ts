/** Names the bounds of a turn. */

/** Bounds that end a turn when exceeded, with or without an engine. */
export const excesses = ['timeout', 'stalled', 'flooded', 'overspent', 'disk', 'looping'] as const
export type Excess = (typeof excesses)[number]

/**
 * Properties are tried with the same cases every time; LOOPER_SEED tries others, as `npm run fuzz` does with a new one
 * each time.
 */
import fc from 'fast-check'

export const seed = Number(process.env['LOOPER_SEED'] ?? 20_261_115)

fc.configureGlobal({ seed })

/** How many cases of a property are tried: all by `npm run fuzz`, a fourth by `npm test`. */
export const tries = (all: number): number => (process.env['LOOPER_SEED'] === undefined ? Math.ceil(all / 4) : all)

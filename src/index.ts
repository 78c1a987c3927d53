/**
 * Looper as a library: the same uses as the command line has, and the core for whoever wants to fold journals
 * themselves.
 */
export { createApp } from './main.ts'
export { decide } from './core/decide.ts'
export { evolve } from './core/evolve.ts'
export { initialState } from './core/initial.ts'
export { LooperError } from './model/error.ts'
export { reportMd } from './views/report-md.ts'
export { statusView } from './views/status.ts'

/** Everything the library offers. */
export { format } from './format.ts'
export { units, type Unit } from './units.ts'

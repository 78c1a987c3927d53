/** Everything the library offers. */
export { format } from './format.js'
export { units } from './units.js'

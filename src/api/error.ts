/** The one error that every function of the API throws, the table of its codes, and what any caught value says. */
export { errorTable, LooperError, messageOf } from '../model/error.ts'

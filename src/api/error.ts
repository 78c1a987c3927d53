/** The one error that every function of the API throws, and the table of its codes. */
export { errorTable, LooperError } from '../model/error.ts'

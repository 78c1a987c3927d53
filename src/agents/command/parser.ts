/** A command agent speaks the protocol itself. */
export { createProtocolParser as parser } from '../protocol/protocol-parser.ts'

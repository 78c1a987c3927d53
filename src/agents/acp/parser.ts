/** The driver speaks the command protocol. */
export { createProtocolParser as parser } from '../protocol/protocol-parser.ts'

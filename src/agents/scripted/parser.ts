/** Parses the player's output, which is the command protocol. */
export { createProtocolParser as parser } from '../protocol/protocol-parser.ts'

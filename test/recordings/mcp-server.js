/** The smallest MCP server with one tool, to see how a CLI offers and calls it. */
import { createInterface } from 'node:readline'

const tool = {
  name: 'report',
  description: 'Report the result of the turn.',
  inputSchema: { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] },
}

/** @type {Record<string, (params: Record<string, any>) => object>} */
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'looper', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { summary } }) => ({ content: [{ type: 'text', text: `Reported: ${summary}` }] }),
  ping: () => ({}),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const found = methods[method]
  const answer = found ? { result: found(params ?? {}) } : { error: { code: -32601, message: `There is no ${method}` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})

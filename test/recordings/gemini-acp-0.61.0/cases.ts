/** What is particular about Gemini CLI where it speaks ACP. */
import { conversations } from '../../kit/driven-conversation.ts'

export const geminiAcp = conversations('gemini-acp-0.61.0', {
  // It does not count its thoughts.
  'ok-text': { usage: [2_100, 22, 0] },
  'tool-write': { uses: ['Writing to hello.txt'] },
  'tool-write-asking': { uses: ['Writing to hello.txt'] },
  'tool-command': { uses: ['echo one', 'echo two >&2; exit 3'] },
  'mcp-report': { uses: ['report (looper MCP Server)'] },
  // A session that is loaded in the minute in which it was begun is overwritten.
  'resume-second': { failure: 'session_not_found', session: false, usage: undefined },
}, { tellsCost: false })

/** What is particular about OpenCode where it speaks ACP. */
import { conversations } from '../../kit/driven-conversation.ts'

const silent = 'it says nothing any more, for ever'

export const opencodeAcp = conversations('opencode-acp-1.18.33', {
  // It tells the tokens of its last request, and the cost of all.
  'tool-write': { usage: [2_150, 20, 0.00376], uses: ['write'] },
  'tool-write-asking': { usage: [2_150, 20, 0.00376], uses: ['write'], rights: 'write' },
  'tool-command': { usage: [2_150, 20, 0.00466], uses: ['bash', 'bash'] },
  'mcp-report': { usage: [2_150, 20, 0.00376], uses: ['looper_report'] },
  'resume-second': { usage: [2_150, 20, 0.0018], uses: ['bash'] },
}, {
  unplayed: { 'rate-limit-429': silent, 'usage-limit-429': silent, 'overloaded-503': silent, 'dropped': silent, 'garbage': silent },
})

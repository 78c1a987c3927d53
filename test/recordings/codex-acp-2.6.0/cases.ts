/** What is particular about codex-acp. */
import { conversations } from '../../kit/driven-conversation.ts'

export const codexAcp = conversations('codex-acp-2.6.0', {
  'tool-write': { uses: ['Editing files'] },
  'tool-command': { uses: ['exec_command', 'exec_command'] },
  'mcp-report': { uses: ['mcp.looper.report'] },
  'resume-second': { uses: ['exec_command'] },
  'usage-limit-429': { resets: 'by the clock of today' },
  'garbage': { failure: 'network' },
}, { tellsCost: false, unplayed: { 'tool-write-asking': 'the client chose another mode than the driver does' } })

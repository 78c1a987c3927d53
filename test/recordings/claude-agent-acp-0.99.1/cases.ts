/** What is particular about claude-agent-acp. */
import { conversations } from '../../kit/driven-conversation.ts'

export const claudeAcp = conversations('claude-agent-acp-0.99.1', {
  'ok-text': { usage: [2_100, 30, 0.00311] },
  'tool-write': { uses: ['Write'] },
  'tool-write-asking': { uses: ['Write'] },
  'tool-command': { uses: ['Bash', 'Bash'] },
  'mcp-report': { uses: ['mcp__looper__report'] },
  'resume-second': { uses: ['Bash'] },
  // Users who pay per token get no usage windows.
  'usage-limit-429': { failure: 'rate_limited' },
  'dropped': { usage: [0, 0, 0.00003] },
})

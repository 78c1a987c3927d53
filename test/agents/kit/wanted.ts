/** Which CLIs are tested: Claude Code and Codex, all of them, or those that are named. */
import type { RealAgent } from './real-agents.ts'

const words = (process.env['LOOPER_TEST_AGENTS'] ?? '').split(',').filter((word) => word !== '')

export const isWanted = ({ name, isUsual }: RealAgent): boolean =>
  words.length === 0 ? isUsual : words.includes('all') || words.includes(name)

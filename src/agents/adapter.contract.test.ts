/** Runs one contract suite against every adapter, with recorded output of each program version. */
import { describe, expect, test } from 'vitest'
import type { Contract } from '../../test/kit/adapter-contract.ts'
import { adapterLaws } from '../../test/kit/adapter-laws.ts'
import { acp } from '../../test/recordings/acp-0.1.0/cases.ts'
import { claude } from '../../test/recordings/claude-2.1.325/cases.ts'
import { claudeAcp } from '../../test/recordings/claude-agent-acp-0.99.1/cases.ts'
import { codex } from '../../test/recordings/codex-0.166.0/cases.ts'
import { codexAcp } from '../../test/recordings/codex-acp-2.6.0/cases.ts'
import { command } from '../../test/recordings/command-0.1.0/cases.ts'
import { gemini } from '../../test/recordings/gemini-0.61.0/cases.ts'
import { geminiAcp } from '../../test/recordings/gemini-acp-0.61.0/cases.ts'
import { opencode } from '../../test/recordings/opencode-1.18.33/cases.ts'
import { opencodeAcp } from '../../test/recordings/opencode-acp-1.18.33/cases.ts'
import { scripted } from '../../test/recordings/scripted-0.1.0/cases.ts'
import { createAdapters } from './registry.ts'

const contracts: Contract[] = [
  claude,
  codex,
  gemini,
  opencode,
  command,
  scripted,
  acp,
  claudeAcp,
  codexAcp,
  geminiAcp,
  opencodeAcp,
]

test.each(Object.values(createAdapters({ playerPath: '/player.js', driverPath: '/acp.js' })))(
  '$id is recorded, in the version that it was tried with',
  ({ id, capabilities: { testedWith } }) => {
    const folders = contracts.flatMap(({ adapter, folder }) => (adapter.id === id ? folder : []))
    expect(folders).toContainEqual(testedWith === undefined ? expect.any(String) : `${id}-${testedWith}`)
  },
)

describe.each(contracts)('D5 F1: $folder', adapterLaws)

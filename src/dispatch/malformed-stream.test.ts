import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFixture, type Fixture } from '../../test/kit/dispatch.ts'

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
})
afterEach(() => fixture.clean())

const complete = `printf '{"status":"complete","summary":"done"}' > "$LOOPER_RESULT_FILE"`

describe.each(['codex', 'gemini'] as const)('a malformed stream of %s', (type) => {
  const recorded = { codex: 'codex-0.166.0/ok-text.jsonl', gemini: 'gemini-0.61.0/ok-text.jsonl' }[type]
  const lines = readFileSync(join(import.meta.dirname, '../../test/recordings', recorded), 'utf8')
    .trimEnd()
    .split('\n')
  const bottomless = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const twisted = (...odd: string[]): string[] => [
    ...odd,
    ...lines.slice(0, -1),
    ...odd,
    lines.at(-1)!.replace(/"(usage|stats)":.*}$/, '"$1":null}'),
    ...odd,
  ]

  test.each<[string, string[]]>([
    ['no usage', twisted()],
    [
      'fields of other types',
      twisted(
        '{"type":["result"]}',
        '{"type":"item.completed","item":7}',
        '{"type":"message","role":"assistant","content":{}}',
        '{}',
        'null',
        '[]',
      ),
    ],
    [
      'bottomless nesting',
      twisted(
        bottomless,
        `{"type":"tool_use","tool_name":"x","parameters":${bottomless}}`,
        `{"type":"item.started","item":${bottomless}}`,
      ),
    ],
    ['a line of 10 MB', twisted(`{"type":"error","message":"${'x'.repeat(10 * 1024 * 1024)}"}`)],
    ['a line of 10 MB that is never over', [...twisted(), 'x'.repeat(10 * 1024 * 1024)]],
  ])('%s: the turn has an outcome, and the answer after it counts', async (_, stream) => {
    const [file, bin] = [join(fixture.cwd, 'stream'), join(fixture.cwd, 'agent.sh')]
    writeFileSync(file, stream.join('\n'))
    writeFileSync(bin, `#!/bin/sh\ncat '${file}'\n${complete}\n`, { mode: 0o755 })
    expect(await fixture.turn({ type, bin })).toMatchObject({
      status: 'ok',
      result: { status: 'complete' },
      usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    })
    writeFileSync(bin, `#!/bin/sh\ncat '${file}'\nexit 1\n`, { mode: 0o755 })
    const outcome = await fixture.turn({ type, bin })
    expect(['error', 'invalid']).toContain(outcome.status)
    expect(JSON.stringify(outcome).length).toBeLessThan(10_000)
  })
})

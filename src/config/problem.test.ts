import { describe, expect, test } from 'vitest'
import { LooperError } from '../model/error.ts'
import { parseConfig } from './file.ts'

const errorOf = (action: () => unknown): LooperError => {
  try {
    action()
  } catch (error) {
    if (error instanceof LooperError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('an invalid configuration', () => {
  test.each<[unknown, string]>([
    [{ paralel: 2 }, 'unknown key "paralel" (did you mean "parallel"?)'],
    [{ limits: { timeMinute: 2 } }, 'unknown key "limits.timeMinute" (did you mean "limits.timeMinutes"?)'],
    [{ timeMinutes: 2 }, 'unknown key "timeMinutes" (did you mean "limits.timeMinutes"?)'],
    [{ agents: { mine: { comand: ['x'] } } }, 'unknown key "agents.mine.comand" (did you mean "agents.mine.command"?)'],
    [
      { hooks: { zebra: [] } },
      'unknown key "hooks.zebra"; valid here: postIteration, onQuestion, onLimit, onEnd, timeoutSeconds',
    ],
    [{ roles: { codr: {} } }, 'unknown key "roles.codr" (did you mean "roles.coder"?)'],
    [{ race: { hard: 2 } }, 'unknown key "race.hard"; valid here: simple, medium, complex'],
    ['{"__proto__":{"parallel":1}}', 'unknown key "__proto__"; valid here: '],
    ['{"limits":{"constructor":1}}', 'unknown key "limits.constructor"; valid here: '],
    [
      '{"agents":{"__proto__":{"command":["x"]}}}',
      'the key "agents.__proto__" must end in a name of letters, digits, dots and dashes',
    ],
    [{ agents: { constructor: { command: ['x'] } } }, 'the key "agents.constructor" must end in a name'],
    [{ parallel: 'four' }, '"parallel" must be a whole number of at least 1, not "four"'],
    [{ parallel: 0 }, '"parallel" must be a whole number of at least 1, not 0'],
    [{ parallel: 1.5 }, '"parallel" must be a whole number of at least 1, not 1.5'],
    ['{"limits":{"costUsd":1e999}}', '"limits.costUsd" must be a number of at least 0, or null, not Infinity'],
    [{ limits: { turns: -1 } }, '"limits.turns" must be a whole number of at least 0, or null, not -1'],
    [{ limits: null }, '"limits" must be an object, not null'],
    [
      { schedule: 'odd-evn' },
      '"schedule" must be one of single, odd-even, round-robin, not "odd-evn" (did you mean "odd-even"?)',
    ],
    [{ checks: 'npm test' }, '"checks" must be a list, or null, not "npm test"'],
    [{ checks: [{ name: 'x' }] }, '"checks[0].run" is missing'],
    [{ checks: ['a', 1] }, '"checks[1]" must be a text or an object, not 1'],
    [
      { checks: [{ name: 'two\nlines', run: 'x' }] },
      '"checks[0].name" must be one line of at most 80 characters, not "two\\nlines"',
    ],
    [{ agents: { mine: { command: [] } } }, '"agents.mine.command" must be a list that is not empty, not []'],
    [
      { agents: { a: { timeoutMinutes: 1e5 } } },
      '"agents.a.timeoutMinutes" must be a number above 0 and at most 10080, not 100000',
    ],
    [
      { workspace: { copy: ['a/../../b'] } },
      '"workspace.copy[0]" must be a path inside the repository, not "a/../../b"',
    ],
    [{ workspace: { copy: ['/etc/passwd'] } }, '"workspace.copy[0]" must be a path inside the repository'],
    [{ workspace: { setup: ['a\u0000b'] } }, '"workspace.setup[0]" must be a text that is not empty, not "a\\u0000b"'],
    [{ '\u001B[31m\u009B': 1 }, 'unknown key "\\u001b[31m\\u{9b}"; valid here'],
    ['[]', 'must hold an object: { … }'],
    ['null', 'must hold an object: { … }'],
    [{ $schema: 1 }, '"$schema" must be a text'],
  ])('%j is refused in one line that names the file, the key and the nearest valid one', (content, message) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    const error = errorOf(() => parseConfig(text, { where: 'the-file.json' }))
    expect(error).toMatchObject({
      code: 'CONFIG_INVALID',
      exitCode: 2,
      message: expect.stringContaining(`the-file.json: ${message}`),
    })
    expect(error).toMatchObject({ message: expect.not.stringMatching(/\p{Cc}/u) })
  })

  test.each<[unknown, string]>([
    [{ agents: { a: { env: { TOKEN: ['hunter2'] } } } }, 'f.json: "agents.a.env.TOKEN" must be a text, not a list'],
    [
      { agents: { a: { env: { TOKEN: { of: 'hunter2' } } } } },
      'f.json: "agents.a.env.TOKEN" must be a text, not an object',
    ],
    [{ agents: { a: { env: { PIN: 472391 } } } }, 'f.json: "agents.a.env.PIN" must be a text, not a number'],
    [
      { agents: { a: { env: { TOKEN: 'hunter2\u0000' } } } },
      'f.json: "agents.a.env.TOKEN" must be a text, not this text (not shown)',
    ],
    [
      { agents: { a: { env: { 'TOKEN=hunter2': '' } } } },
      'f.json: "agents.a.env" has a key that is not the name of a variable',
    ],
    [
      { agents: { a: { env: 'TOKEN=hunter2' } } },
      'f.json: "agents.a.env" must be an object, not this text (not shown)',
    ],
    [{ agents: { a: { env: ['TOKEN=hunter2'] } } }, 'f.json: "agents.a.env" must be an object, not a list'],
    [{ agents: { a: [{ env: { TOKEN: 'hunter2' } }] } }, 'f.json: "agents.a" must be an object, not a list'],
    [{ agents: 'a.env.TOKEN=hunter2' }, 'f.json: "agents" must be an object, not this text (not shown)'],
    [
      { checks: [{ name: 'a', run: 'b', env: { TOKEN: ['hunter2'] } }] },
      'f.json: "checks[0].env.TOKEN" must be a text, not a list',
    ],
    [
      { checks: { name: 'a', run: 'b', env: { TOKEN: 'hunter2' } } },
      'f.json: "checks" must be a list, or null, not an object',
    ],
    [
      { workspace: { env: { TOKEN: { of: 'hunter2' } } } },
      'f.json: "workspace.env.TOKEN" must be a text, not an object',
    ],
    [
      { secrets: ['hunter2 = TOKEN'] },
      'f.json: "secrets[0]" must be the name of a variable, not this text (not shown)',
    ],
    [{ secrets: { TOKEN: 'hunter2' } }, 'f.json: "secrets" must be a list, not an object'],
    [
      { notify: { webhook: 'hooks.example/hunter2' } },
      'f.json: "notify.webhook" must be an http or https address, or null, not this text (not shown)',
    ],
    ['{"agents":{"a":{"env":{"hunter2"}}}}', 'f.json:1:33: expected ":" after the key, found "}"'],
  ])('%j is refused without a word of what may be a secret', (content, message) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    const error = errorOf(() => parseConfig(text, { where: 'f.json' }))
    expect(error.message).toBe(message)
    expect(JSON.stringify([error.message, error.hint, error.details])).not.toMatch(/hunter2|472391/)
  })
})

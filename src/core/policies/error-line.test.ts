import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorLine } from './error-line.ts'

const node = `the agent exited with code 1: file:///x/agent.mjs:3
throw new TypeError('boom')
      ^

TypeError: boom
    at file:///x/agent.mjs:3:7
    at ModuleJob.run (node:internal/modules/esm/module_job:195:25)

Node.js v20.19.0`
const python = `the agent exited with code 1: Traceback (most recent call last):
  File "/x/agent.py", line 3, in <module>
    main()
ValueError: no such key: "a"`
const rust = `the agent was ended by SIGABRT: thread 'main' panicked at src/main.rs:2:5:
explicit
note: run with \`RUST_BACKTRACE=1\``

test.each([
  ['node', node, 'the agent exited with code 1: TypeError: boom'],
  ['python', python, 'the agent exited with code 1: ValueError: no such key: "a"'],
  ['rust', rust, "the agent was ended by SIGABRT: thread 'main' panicked at src/main.rs:2:5:"],
  [
    'a shell',
    'the agent exited with code 2: starting\r\ncurl: (6) no such host\r\n',
    'the agent exited with code 2: curl: (6) no such host',
  ],
  ['one line', 'the agent exited with code 1: TypeError: a: b', 'the agent exited with code 1: TypeError: a: b'],
  ['only places', 'it crashed: at a:1\nat b:2', 'it crashed'],
  ['no colon', 'it crashed\nout of memory', 'it crashed: out of memory'],
  ['nothing', '', ''],
])('%s', (_name, message, line) => expect(errorLine(message)).toBe(line))

test('the result is always one short line', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2000 }), fc.array(fc.string()), (text, lines) => {
      const line = errorLine([text, ...lines].join('\n'))
      expect(line).not.toMatch(/[\r\n]/)
      expect(line.length).toBeLessThanOrEqual(300)
    }),
  )
})

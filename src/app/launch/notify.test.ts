import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HookName, Notice } from '../../views/live/notice.ts'
import { createNotifier, type NotifyOptions } from './notify.ts'

let bin: string
let troubles: string[]
let rung: number
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'looper-notify-'))
  ;[troubles, rung] = [[], 0]
})
afterEach(() => rmSync(bin, { recursive: true, force: true }))

/** A program that records its arguments, each followed by a NUL byte, which no argument can contain. */
function stub(name: string, more = ''): void {
  writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\0' "$@" >> '${join(bin, 'argv')}'\n${more}\n`)
  chmodSync(join(bin, name), 0o755)
}
const argv = (): string[] =>
  existsSync(join(bin, 'argv')) ? readFileSync(join(bin, 'argv'), 'utf8').split('\0').slice(0, -1) : []
const notice = (hook: HookName, more: Partial<Notice> = {}): Notice => ({
  hook,
  args: [],
  message: '',
  title: 'a title',
  text: 'a text',
  ...more,
})
const create = (more: Partial<NotifyOptions> = {}) =>
  createNotifier({
    desktop: true,
    bell: false,
    webhook: null,
    on: ['question', 'limit', 'end'],
    platform: 'linux',
    env: { PATH: [bin, '/usr/bin', '/bin'].join(delimiter) },
    ring: () => void rung++,
    onTrouble: (message) => troubles.push(message),
    ...more,
  })
async function tell(more: Partial<NotifyOptions>, ...notices: Notice[]): Promise<void> {
  const notifier = create(more)
  for (const each of notices) notifier.notify(each, '001-x')
  await notifier.idle()
}

const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run'

describe('D7: the desktop', () => {
  test.each<[NodeJS.Platform, string, string[]]>([
    ['linux', 'notify-send', ['--app-name=looper', '--']],
    ['darwin', 'osascript', ['-e', script]],
  ])('on %s %s gets the words as arguments, whatever they are', async (platform, program, before) => {
    stub(program)
    const words = {
      title: '-u "critical" $(touch pwned)',
      text: 'it\'s "so"\nand `so`; \\ end run\ndo shell script "id"',
    }
    await tell({ platform }, notice('onEnd', words))
    expect(troubles).toEqual([])
    expect(argv()).toEqual([...before, words.title, words.text])
  })

  test('sends notifications one after the other', async () => {
    stub('notify-send')
    await tell({}, notice('onQuestion', { title: 'one' }), notice('onLimit', { title: 'two' }))
    expect(argv()).toEqual(['--app-name=looper', '--', 'one', 'a text', '--app-name=looper', '--', 'two', 'a text'])
  })

  test('a failure is reported, and the next one is still sent', async () => {
    stub('notify-send', 'echo "no bus" >&2; exit 3')
    await tell({}, notice('onEnd'), notice('onEnd'))
    expect(troubles).toEqual(Array.from({ length: 2 }, () => 'the desktop could not be notified: notify-send: no bus'))
  })

  test.each<[NodeJS.Platform, string]>([
    ['linux', 'notify-send'],
    ['darwin', 'osascript'],
  ])('on %s without %s that is said', async (platform, program) => {
    await tell({ platform, env: { PATH: bin } }, notice('onEnd'))
    expect(troubles).toEqual([`the desktop could not be notified: there is no program ${program}`])
  })
})

describe('D7: on which occasions', () => {
  test.each<[HookName, NotifyOptions['on'], boolean]>([
    ['onQuestion', ['question'], true],
    ['onQuestion', ['limit', 'end'], false],
    ['onLimit', ['limit'], true],
    ['onLimit', ['question', 'end'], false],
    ['onEnd', ['end'], true],
    ['onEnd', ['question', 'limit'], false],
    ['postIteration', ['question', 'limit', 'end'], false],
  ])('%s with %j: %s', async (hook, on, isTold) => {
    stub('notify-send')
    await tell({ bell: true, on }, notice(hook))
    expect({ rung, told: argv().length > 0 }).toEqual({ rung: isTold ? 1 : 0, told: isTold })
  })

  test('the bell rings only where it is wanted', async () => {
    await tell({ desktop: false, bell: false }, notice('onEnd'))
    expect(rung).toBe(0)
    await tell({ desktop: false, bell: true }, notice('onEnd'))
    expect(rung).toBe(1)
    expect(troubles).toEqual([])
  })
})

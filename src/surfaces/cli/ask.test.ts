import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { terminal } from '../../../test/kit/cli.ts'
import { ask, discardTypedAhead } from './ask.ts'

test('what was typed before a question is shown is no answer to it', async () => {
  const modes: boolean[] = []
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) })
  const io = { ...terminal({ tty: true }), stdin }
  stdin.write('typed ahead\nhalf a li')
  const discarded = discardTypedAhead({ io })
  await new Promise((resolve) => setImmediate(resolve))
  io.tick()
  await discarded
  expect(modes).toEqual([true, false])
  const answer = ask({ io, err: io.stderr as never }, 'How many? ')
  stdin.write('3\n')
  expect(await answer).toBe('3')
})

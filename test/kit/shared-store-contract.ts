/** What else a store does that several runs share. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, change, found, type PlantedStore, type StoreScenario } from './planted-store.ts'

export function testSharedStore(planted: PlantedStore): void {
  const { plant, listed, one, first } = planted

  test('claims no task of another actor', async () => {
    const store = plant({ title: 'One' })
    expect(await store.claim(first(), 'run-1', at)).toBe(true)
    await store.settle()
    expect(await planted.scenario.open().claim(first(), 'run-2', at)).toBe(false)
    expect(await planted.scenario.open().claim(first(), 'run-1', at)).toBe(true)
  })

  test('leaves tasks of another actor alone', async () => {
    const store = plant({ title: 'One' }, { title: 'Two' })
    await store.claim(first(), 'run-1', at)
    await store.update(planted.scenario.ids[1] as string, change('doing'))
    await store.settle()
    const before = planted.scenario.ids.map(planted.scenario.raw)
    const other = planted.scenario.open()
    expect(await other.claim(first(), 'run-2', at)).toBe(false)
    for (const id of planted.scenario.ids) {
      for (const status of ['todo', 'doing', 'blocked'] as const)
        await other.update(id, change(status, { reason: 'no key' }))
      for (const status of ['done', 'cancelled'] as const) await other.close(id, change(status))
    }
    await other.settle()
    expect(planted.scenario.ids.map(planted.scenario.raw)).toEqual(before)
    await store.close(planted.scenario.ids[1] as string, change('done'))
    await store.settle()
    expect((await one(planted.scenario.ids[1] as string)).status).toBe('done')
  })

  describe('with processes that race', () => {
    let dir: string
    beforeAll(() => {
      dir = mkdtempSync(join(tmpdir(), 'looper-race-'))
    })
    afterAll(() => rmSync(dir, { recursive: true, force: true }))

    test('gives a task to exactly one of ten', async () => {
      plant({ title: 'One' }, { title: 'Two' })
      const answers = await race(
        dir,
        planted.scenario,
        Array.from({ length: 10 }, (_, n) => `claim(${JSON.stringify(first())}, 'run-${n}', '${at}')`),
      )
      expect(answers.filter((answer) => answer === 'true')).toHaveLength(1)
      expect(answers.filter((answer) => answer === 'false')).toHaveLength(9)
      expect(await planted.scenario.open().claim(first(), `run-${answers.indexOf('true')}`, at)).toBe(true)
      expect((await listed()).map(({ status }) => status)).toEqual(['doing', 'todo'])
    })

    test('loses nothing that five add and change', async () => {
      plant(...Array.from({ length: 5 }, (_, n) => ({ title: `Task ${n}` })))
      await race(
        dir,
        planted.scenario,
        planted.scenario.ids.flatMap((id, n) => [
          `close(${JSON.stringify(id)}, ${JSON.stringify(change('done', { summary: `by ${n}` }))})`,
          `add(${JSON.stringify({ ...found, id: `T95${n}`, title: `New ${n}` })}, '${at}')`,
        ]),
      )
      const tasks = await listed()
      expect(
        tasks
          .filter(({ status }) => status === 'done')
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(planted.scenario.ids.toSorted())
      expect(
        tasks
          .filter(({ status }) => status === 'todo')
          .map(({ title }) => title)
          .toSorted(),
      ).toEqual(planted.scenario.ids.map((_, n) => `New ${n}`))
    })
  })
}

/** One process for each call of the store, all let go at once. Resolves with what each got. */
async function race(
  dir: string,
  { inProcess = { module: '', call: '' } }: StoreScenario,
  calls: readonly string[],
): Promise<string[]> {
  const { module, call } = inProcess
  const name = /^\w+/.exec(call)?.[0] ?? ''
  const [entry, file] = [join(dir, 'racer.ts'), join(dir, 'racer.mjs')]
  writeFileSync(
    entry,
    `
    import { once } from 'node:events'
    import { ${name} } from ${JSON.stringify(module)}
    const store = ${call}
    const jobs = [${calls.map((each) => `() => store.${each}`).join(', ')}]
    console.log('ready')
    await once(process.stdin.resume(), 'end')
    const answer = await jobs[Number(process.argv[2])]().catch((error) => String(error.message))
    await store.settle()
    console.log(String(answer))
  `,
  )
  const bundle = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' })
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
  const racers = calls.map((_, n) => spawn(process.execPath, [file, String(n)], { stdio: ['pipe', 'pipe', 'inherit'] }))
  const lines = racers.map((racer) => createInterface({ input: racer.stdout })[Symbol.asyncIterator]())
  const answers = lines.map(async (line) => String((await line.next()).value))
  expect(await Promise.all(answers)).toEqual(calls.map(() => 'ready'))
  for (const racer of racers) racer.stdin.end()
  const results = await Promise.all(lines.map(async (line) => String((await line.next()).value)))
  await Promise.all(racers.map(async (racer) => racer.exitCode ?? once(racer, 'exit')))
  return results
}

import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'looper-process-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** `onText` is called with all output so far. */
async function run(argv: string[], onText: (text: string, child: ChildProcess) => void = () => {}): Promise<Ran> {
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      said[name] += chunk.toString()
      onText(said[name], child)
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...said }
}

describe('on the real process', () => {
  const program = join(folder, 'program.mjs')
  beforeAll(async () => {
    const bundle = await rolldown({
      input: new URL('../../../test/kit/cli-process.ts', import.meta.url).pathname,
      platform: 'node',
    })
    await bundle.write({ file: program, format: 'esm', codeSplitting: false })
    await bundle.close()
  })

  test('a closed pipe does not end the run', async () => {
    const { code, stderr } = await run([program, 'slow', 'run', 'do it', '--json'], (text, child) => {
      if (text.includes('run.started')) child.stdout?.destroy()
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'ended by itself\n' })
  })

  test('SIGINT stops gracefully, SIGTERM after it stops now, and the process ends by itself', async () => {
    const sent = new Set<string>()
    const send = (child: ChildProcess, signal: 'SIGINT' | 'SIGTERM'): void => {
      if (!sent.has(signal)) child.kill(signal)
      sent.add(signal)
    }
    const { code, stderr } = await run([program, 'endless', 'run', 'do it', '--json'], (text, child) => {
      if (text.includes('started\n')) send(child, 'SIGINT')
      if (text.includes('asked to stop\n')) send(child, 'SIGTERM')
    })
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: 'started\nstopping… (again to stop now)\nasked to stop\nstopping now\nended by itself\n',
    })
  })
})

/** In the format that `scripts/build.js` writes. */
const sealed = (code: string, data: Buffer): Buffer =>
  Buffer.concat([createHash('sha256').update(code).update(data).digest(), data])

function damaged(whole: Buffer): Buffer {
  whole.fill(0, whole.length / 2)
  return whole
}

describe('bin/looper.js', () => {
  const root = join(folder, 'package')
  const bin = join(root, 'bin', 'looper.js')
  beforeAll(() => {
    mkdirSync(join(root, 'bin'), { recursive: true })
    cpSync(join(import.meta.dirname, '..', '..', '..', 'bin'), join(root, 'bin'), { recursive: true })
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  })

  test('says so when nothing is built', async () => {
    const stderr = `looper: it is not built yet\n  Run \`npm ci\` in ${root}/\n`
    expect(await run([bin, 'status'])).toEqual({ code: 2, stdout: '', stderr })
  })

  test('says so when Node is too old', async () => {
    const versions = "{...process.versions,node:'20.18.1'}"
    const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:${versions}})`
    expect(await run(['--import', old, bin])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'looper: Node 20.18.1 is too old\n  Install Node 20.19 or newer.\n',
    })
  })

  test('runs the built program in the same process', async () => {
    mkdirSync(join(root, 'dist'))
    const main = 'exports.main = async (argv) => { process.stdout.write(`${process.pid} ${argv}`); return 3 }'
    writeFileSync(join(root, 'dist', 'main.cjs'), main)
    const child = spawn(bin, ['a', 'b'], { stdio: ['ignore', 'pipe', 'ignore'] })
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    const [code] = (await once(child, 'close')) as [number]
    expect({ code, stdout }).toEqual({ code: 3, stdout: `${child.pid} a,b` })
  })

  test.each([
    ['that belongs to it', (code: string) => sealed(code, new Script(Module.wrap(code)).createCachedData())],
    ['of another text', () => sealed('1', new Script('1').createCachedData())],
    ['that is damaged', (code: string) => damaged(sealed(code, new Script(Module.wrap(code)).createCachedData()))],
    ['that V8 rejects', (code: string) => sealed(code, Buffer.from('no code'))],
    ['that is empty', () => Buffer.alloc(0)],
  ])('runs the program with compiled code %s', async (_what, compiled) => {
    const other = 'module.exports = { name: __filename, folder: __dirname }'
    const main = `const { name, folder } = require('./other.cjs')
exports.main = async () => { console.log(name, folder, this === exports); return 0 }`
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    mkdirSync(join(root, 'dist'))
    for (const [file, code] of Object.entries({ 'main.cjs': main, 'other.cjs': other })) {
      writeFileSync(join(root, 'dist', file), code)
      writeFileSync(join(root, 'dist', `${file}.code`), compiled(code))
    }
    const dist = join(realpathSync(root), 'dist')
    expect(await run([bin])).toEqual({ code: 0, stdout: `${join(dist, 'other.cjs')} ${dist} true\n`, stderr: '' })
  })
})

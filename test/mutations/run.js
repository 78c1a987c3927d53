/**
 * `npm run test:mutations`: plants one bug after the other in a copy of the source and has the simulation find it. A
 * copy for each core; the world that found a bug last time comes first.
 * `-- <law>`: only the bugs of one law. `-- --only <words>`: only bugs whose law or name has these words.
 * `-- --tenth`: every tenth bug, another tenth each hour, for CI; it leaves RESULTS.md as it is.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { build } from 'rolldown'
import { mutations, plant } from './mutations.js'
import { mergeResults, rowOf, seedOf } from './results.js'

const here = import.meta.dirname
const root = resolve(here, '../..')
const runs = 4_000
const run = promisify(execFile)
const {
  values: { only, tenth: isTenth },
  positionals: [law],
} = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, tenth: { type: 'boolean', default: false } },
})

/** The law that broke, or null. A process that hangs found nothing. */
async function live(folder, name, { law: broken, first = 1 }, last) {
  const bundle = join(folder, `${name}.mjs`)
  await build({
    input: join(folder, 'src/testing.ts'),
    platform: 'node',
    output: { file: bundle, format: 'esm' },
    logLevel: 'silent',
  })
  const words = [
    join(here, 'live.js'),
    pathToFileURL(bundle).href,
    broken,
    String(runs),
    String(first),
    String(last ?? ''),
  ]
  const { stdout } = await run(process.execPath, words, { timeout: 600_000 })
  return stdout === '' ? null : JSON.parse(stdout)
}

async function withMutation(folder, mutation, job) {
  const path = join(folder, 'src', mutation.file)
  const source = await readFile(path, 'utf8')
  await writeFile(path, plant(source, mutation))
  try {
    return await job()
  } finally {
    await writeFile(path, source)
  }
}

const tenth = Math.floor(Date.now() / 3_600_000) % 10

function isMeant(mutation, place) {
  if (isTenth) return place % 10 === tenth
  if (only !== undefined) return `${mutation.law}: ${mutation.bug}`.includes(only)
  return law === undefined || mutation.law === law
}

/** Copies of the source, each for one bug at a time. */
async function copies(folder) {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const names = Array.from({ length: availableParallelism() }, (_, index) => join(folder, `copy${index}`))
  await Promise.all(names.map((name) => cp(join(root, 'src'), join(name, 'src'), { recursive: true })))
  return names
}

async function main() {
  const chosen = [...mutations.entries()].filter(([index, mutation]) => isMeant(mutation, index))
  if (chosen.length === 0) throw new Error('no planted bug is called so; test/mutations/mutations.js lists them')
  const results = join(here, 'RESULTS.md')
  const known = await readFile(results, 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'looper-mutations-'))
  const rows = []
  let survivors = 0
  const left = [...chosen]
  const work = async (copy) => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, mutation] = next
      const last = seedOf(known, mutation)
      const search = () => live(copy, `m${index}`, mutation, last)
      const found = await withMutation(copy, mutation, search).catch((error) => ({
        error: error.message.split('\n')[0],
      }))
      if (!found || found.error) survivors++
      const result = !found ? `SURVIVED ${runs} worlds` : found.error ? `ERROR ${found.error}` : `seed ${found.seed}`
      process.stdout.write(`${mutation.law.padEnd(15)} ${mutation.bug} → ${result}\n`)
      rows.push(rowOf(mutation, result, found?.detail ?? ''))
    }
  }
  try {
    await Promise.all((await copies(folder)).map(work))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  if (!isTenth) await writeFile(results, mergeResults(await readFile(results, 'utf8'), rows, mutations))
  process.stdout.write(
    survivors === 0
      ? `all ${rows.length} planted bugs were found\n`
      : `${survivors} of ${rows.length} planted bugs were not found\n`,
  )
  process.exitCode = survivors === 0 ? 0 : 1
}

await main()

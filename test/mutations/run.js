/**
 * `npm run test:mutations`: plants one bug after the other in a copy of the source and has the simulation find it. `-- <law>`: only
 * the bugs of one law. `-- --tenth`: every tenth bug, another tenth each hour, for CI.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'rolldown'
import { mutations } from './mutations.js'

const here = import.meta.dirname
const root = resolve(here, '../..')
const runs = 4_000
const run = promisify(execFile)

/** The law that broke, or null. A process that hangs found nothing. */
async function live(folder, name, { law, first = 1 }) {
  const bundle = join(folder, `${name}.mjs`)
  await build({ input: join(folder, 'src/testing.ts'), platform: 'node', output: { file: bundle, format: 'esm' }, logLevel: 'silent' })
  const { stdout } = await run(process.execPath, [join(here, 'live.js'), pathToFileURL(bundle).href, law, String(runs), String(first)], { timeout: 600_000 })
  return stdout === '' ? null : JSON.parse(stdout)
}

async function withMutation(folder, { file, from, to }, job) {
  const path = join(folder, 'src', file)
  const source = await readFile(path, 'utf8')
  if (source.split(from).length !== 2) throw new Error(`${file} does not hold exactly once: ${from}`)
  await writeFile(path, source.replace(from, () => to))
  try {
    return await job()
  } finally {
    await writeFile(path, source)
  }
}

const escape = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const tenth = Math.floor(Date.now() / 3_600_000) % 10

function isMeant(only, law, place) {
  if (only === '--tenth') return place % 10 === tenth
  return only === undefined || law === only
}

async function main(only) {
  const folder = await mkdtemp(join(tmpdir(), 'looper-mutations-'))
  const lines = []
  let survivors = 0
  try {
    await cp(join(root, 'src'), join(folder, 'src'), { recursive: true })
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const [place, mutation] of mutations.entries()) {
      const { law, bug } = mutation
      if (!isMeant(only, law, place)) continue
      const found = await withMutation(folder, mutation, () => live(folder, `m${place}`, mutation)).catch((error) => ({ error: error.message.split('\n')[0] }))
      if (!found || found.error) survivors++
      const result = !found ? `SURVIVED ${runs} worlds` : found.error ? `ERROR ${found.error}` : `seed ${found.seed}`
      process.stdout.write(`${law.padEnd(15)} ${bug} → ${result}\n`)
      lines.push(`| ${law} | ${bug} | \`${mutation.file}\` | ${result} | ${escape(found?.detail ?? '').slice(0, 160)} |`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  if (only === undefined) await writeFile(join(here, 'RESULTS.md'), results(lines))
  process.stdout.write(survivors === 0 ? `all ${lines.length} planted bugs were found\n` : `${survivors} of ${lines.length} planted bugs were not found\n`)
  process.exitCode = survivors === 0 ? 0 : 1
}

const results = (lines) => [
  '# Planted bugs', '',
  '<!-- Written by `npm run test:mutations`. -->', '',
  'Each bug is planted in a copy of the source, which then lives through simulated worlds, from seed 1 on (or later, where that is rare), until the checker of that law reports it.', '',
  '| law | planted bug | file | found by | what the checker said |', '|---|---|---|---|---|', ...lines, '',
].join('\n')

await main(process.argv[2])

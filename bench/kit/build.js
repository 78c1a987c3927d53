/**
 * Builds the program as it is now, and the probes, into a folder of the benchmark's own, so that no other build
 * changes a measurement.
 */
import { cpSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'rolldown'
import { compile } from '../../scripts/compile.js'

const root = resolve(import.meta.dirname, '../..')

/**
 * @param {string} folder
 * @returns {Promise<{ looper: string, probe: (name: string) => string }>} the program to start with node, and the
 * probes by name
 */
export async function buildInto(folder) {
  process.chdir(root)
  const { default: config } = await import('../../rolldown.config.js')
  for (const part of [config].flat())
    await build({ ...part, output: Object.assign({}, part.output, { dir: join(folder, 'dist') }) })
  compile(join(folder, 'dist'))
  for (const name of ['bin', 'prompts', 'pipelines', 'stages', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })

  const probes = readdirSync(join(root, 'bench/probes')).filter((name) => name.endsWith('.ts'))
  const input = Object.fromEntries(probes.map((name) => [basename(name, '.ts'), join(root, 'bench/probes', name)]))
  await build({ input, platform: 'node', output: { dir: join(folder, 'probes'), format: 'esm' } })
  return { looper: join(folder, 'bin/looper.js'), probe: (name) => join(folder, 'probes', `${name}.js`) }
}

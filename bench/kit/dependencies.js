/**
 * Dependencies for a project, made here and put into a cache folder of npm: `npm ci --offline` unpacks them as it does
 * those of a registry.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Text that compresses about as well as code does. */
function source(seed, bytes) {
  let [text, state] = ['', seed + 1]
  while (text.length < bytes) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    text += `export const name${state} = (value) => value + ${state % 9_973}\n`
  }
  return text.slice(0, bytes)
}

/**
 * @param {string} folder a new folder for packages and cache
 * @param {{ packages: number, files: number, bytes: number }} size files in each package, bytes in each file
 * @returns {{ cache: string, files: Record<string, string> }} the cache folder, and the manifest and lock file
 */
export function makeDependencies(folder, { packages, files, bytes }) {
  const cache = join(folder, 'npm-cache')
  mkdirSync(cache, { recursive: true })
  const made = Array.from({ length: packages }, (_, at) => makePackage(folder, `dep-${at + 1}`, at, files, bytes))
  const archives = made.map(({ archive }) => archive)
  execFileSync('npm', ['cache', 'add', '--cache', cache, ...archives], { cwd: folder, stdio: 'ignore' })
  const dependencies = Object.fromEntries(made.map(({ name }) => [name, '1.0.0']))
  const root = { name: 'bench', version: '1.0.0', dependencies }
  const locked = made.map(({ name, integrity }) => [
    `node_modules/${name}`,
    { version: '1.0.0', resolved: `http://127.0.0.1/${name}-1.0.0.tgz`, integrity },
  ])
  const lock = { name: 'bench', version: '1.0.0', lockfileVersion: 3, requires: true }
  return {
    cache,
    files: {
      'package.json': JSON.stringify(root),
      'package-lock.json': JSON.stringify({ ...lock, packages: { '': root, ...Object.fromEntries(locked) } }),
    },
  }
}

function makePackage(folder, name, seed, files, bytes) {
  const parent = join(folder, name)
  const own = join(parent, 'package')
  for (let at = 0; at < files; at++) {
    const part = join(own, `lib${at % 8}`)
    mkdirSync(part, { recursive: true })
    writeFileSync(join(part, `file${at}.js`), source(seed * files + at, bytes))
  }
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name, version: '1.0.0', type: 'module' }))
  const archive = join(folder, `${name}-1.0.0.tgz`)
  execFileSync('tar', ['-czf', archive, '-C', parent, 'package'])
  rmSync(parent, { recursive: true })
  return { name, archive, integrity: `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}` }
}

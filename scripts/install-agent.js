/**
 * Installs a coding agent's CLI, pinned, into a cache folder outside the package: they are too heavy to be
 * dependencies.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** @typedef {{ package: string, version: string, program: string }} PinnedAgent */

/** @type {Record<string, PinnedAgent>} */
export const agentVersions = JSON.parse(await readFile(new URL('agent-versions.json', import.meta.url), 'utf8'))

export const agentCache = process.env['LOOPER_AGENT_CACHE'] ?? join(homedir(), '.cache', 'looper-agents')

/**
 * Resolves with the path of the program to start: the native one where there is one, because a wrapper's death leaves
 * it running.
 * @param {string} name one of scripts/agent-versions.json
 * @param {(what: string) => void} [onInstall] called when it has to be installed, which takes a while
 * @returns {Promise<string>}
 */
export async function installAgent(name, onInstall) {
  const pinned = agentVersions[name]
  if (pinned === undefined)
    throw new Error(`There is no pinned version of "${name}". Known: ${Object.keys(agentVersions).join(', ')}`)
  const folder = join(agentCache, `${name}-${pinned.version}`)
  if (!existsSync(folder)) {
    onInstall?.(`${name} ${pinned.version} into ${agentCache}`)
    await install(pinned, folder)
  }
  return find(folder, pinned.program.split('/'))
}

/**
 * Whole or not at all: it becomes visible under its name only when it is complete.
 * @param {PinnedAgent} pinned
 * @param {string} folder
 */
async function install(pinned, folder) {
  await mkdir(agentCache, { recursive: true })
  const draft = await mkdtemp(join(agentCache, '.installing-'))
  try {
    const source = `${pinned.package}@${pinned.version}`
    await promisify(execFile)(
      'npm',
      ['install', '--prefix', draft, '--no-audit', '--no-fund', '--save-exact', source],
      { cwd: draft },
    )
    // Another process may have been faster; its folder is as good as ours.
    await rename(draft, folder).catch((error) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Follows a path some of whose parts are patterns, because platforms name their folders differently.
 * @param {string} folder
 * @param {string[]} parts
 * @returns {Promise<string>}
 */
async function find(folder, [part, ...rest]) {
  if (part === undefined) return folder
  const [before, after = null] = part.split('*')
  const names = after === null ? [part] : await readdir(folder)
  const name = names.find(
    (name) => name === part || (after !== null && name.startsWith(before) && name.endsWith(after)),
  )
  const path = join(folder, name ?? part)
  if (!existsSync(path)) throw new Error(`${path} is missing: delete the folder to install anew.`)
  return find(path, rest)
}

/**
 * `looper demo`: runs Looper on a small library in a temporary repository. Only the answers of the agents are scripted.
 */
import { cp, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ioError } from '../../platform/files.ts'
import { jsonOf, loadScript } from '../../agents/scripted/load-script.ts'
import type { App } from '../../api/app.ts'
import { git } from '../../workspace/git/git.ts'
import { ensureLooperFolder } from '../../workspace/looper-folder.ts'
import { survey } from '../../workspace/git/repository.ts'
import type { AppContext, Machine } from '../context.ts'
import type { Follower } from '../follow/follow.ts'
import { prepareRun } from '../prepare/prepare-run.ts'

const goal = 'Parse durations, say them roughly, and show them as clock time'

/** The repository is kept, so that the user can inspect it. */
export async function demo(
  given: Machine,
  follower: Follower,
  observer: Parameters<App['demo']>[0],
): ReturnType<App['demo']> {
  // The package may be a link into a folder that the sandbox replaces, so resolve it first.
  const context = { ...given, packageFolder: await realpath(given.packageFolder) }
  const repository = await createRepository(context.packageFolder)
  const prepared = await prepareRun(
    detached(context, repository),
    follower,
    { goal, flags: {}, apply: false },
    survey(repository),
  )
  observer.onRepository(repository, goal)
  return { ...(await prepared.start(observer)), repository }
}

/**
 * Removes the user's settings of Looper, Node and npm, so that they cannot change the demo. Its home is an empty
 * folder.
 */
function detached(context: Machine, repository: string): AppContext {
  const foreign = /^(?:LOOPER_|npm_|NODE_OPTIONS$|NODE_ENV$|XDG_CONFIG_HOME$)/i
  const env = Object.fromEntries(Object.entries(context.env).filter(([name]) => !foreign.test(name)))
  return { ...context, env, cwd: repository, home: join(repository, '.looper', 'home') }
}

async function createRepository(packageFolder: string): Promise<string> {
  const source = join(packageFolder, 'demo')
  try {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'looper-demo-')))
    await cp(join(source, 'library'), folder, { recursive: true })
    const looper = await ensureLooperFolder(folder)
    await cp(join(source, 'config.json'), join(looper, 'config.json'))
    await copyScript(join(source, 'script.yaml'), join(looper, 'script.json'))
    await commitAll(folder)
    return folder
  } catch (error) {
    throw ioError(error, join(tmpdir(), 'looper-demo'))
  }
}

/** The agents start a process for each turn, and JSON is read much faster than YAML. */
async function copyScript(from: string, to: string): Promise<void> {
  await writeFile(to, jsonOf(await loadScript(from)))
}

/** Overrides the user's git settings (templates, line endings, ignored files, identity) for this repository. */
async function commitAll(cwd: string): Promise<void> {
  await git(['init', '--quiet', '--template='], { cwd, config: ['init.defaultBranch=main'] })
  const settings = {
    'user.name': 'Looper Demo',
    'user.email': 'demo@localhost',
    'commit.gpgSign': 'false',
    'core.autocrlf': 'false',
    'core.excludesFile': '/dev/null',
  }
  for (const [name, value] of Object.entries(settings)) await git(['config', name, value], { cwd })
  await git(['add', '--all'], { cwd })
  await git(['commit', '--quiet', '--no-verify', '-m', 'A library for durations'], { cwd })
}

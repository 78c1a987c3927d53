/**
 * The git commands of a release: reads have no side effects, and writes run as the user, with their hooks, signatures
 * and credentials.
 */
import { spawn } from 'node:child_process'
import { plain } from '../../views/text/plain-text.ts'
import { cleanEnvironment, git, tryGit } from '../../workspace/git/git.ts'
import { changedEntries } from '../../workspace/git/repository.ts'
import { compareVersions, parseVersion, type Version } from './version.ts'

export interface Tag {
  name: string
  prefix: string
  version: Version
}

/** The highest version among the tags that are reachable from HEAD. */
export async function lastTag(root: string): Promise<Tag | null> {
  const names = await git(['for-each-ref', '--merged=HEAD', '--format=%(refname:strip=2)', 'refs/tags'], { cwd: root })
  const tags = names.split('\n').flatMap((name): Tag[] => {
    const [, prefix = '', text = ''] = /^(v?)(.+)$/.exec(name) ?? []
    const version = parseVersion(text)
    return version === null ? [] : [{ name, prefix, version }]
  })
  return tags.toSorted((a, b) => compareVersions(b.version, a.version))[0] ?? null
}

/** Oldest first, without merges. */
export async function subjectsSince(root: string, tag: string | null): Promise<string[]> {
  const range = tag === null ? 'HEAD' : `refs/tags/${tag}..HEAD`
  const listed = await git(['log', '-z', '--reverse', '--no-merges', '--format=%s', range, '--'], { cwd: root })
  return listed
    .split('\0')
    .map((subject) => plain(subject))
    .filter((subject) => subject !== '')
}

export const countSince = async (root: string, tag: string): Promise<number> =>
  Number(await git(['rev-list', '--count', `refs/tags/${tag}..HEAD`, '--'], { cwd: root }))

/** Changed and untracked files, without the record of the release itself. */
export async function dirtyPaths(root: string): Promise<string[]> {
  return (await changedEntries(root, 'all'))
    .map(({ path }) => path)
    .filter((path) => path !== '.looper/release.json' && path !== '.looper/push.json')
}

/** The object id of a revision; null when it does not exist. */
export async function resolve(root: string, name: string): Promise<string | null> {
  const { exitCode, stdout } = await tryGit(['rev-parse', '--verify', '--quiet', name], { cwd: root })
  return exitCode === 0 ? stdout.trim() : null
}

export const isAncestor = async (root: string, older: string, newer: string): Promise<boolean> =>
  (await tryGit(['merge-base', '--is-ancestor', older, newer], { cwd: root })).exitCode === 0

export interface Target {
  remote: string
  /** The branch on the remote, as refs/heads/main. */
  ref: string
}

/**
 * Where the branch is pushed to: its upstream, else the same name on the named, the usual or the only remote. Null
 * without a remote.
 */
export async function pushTarget(root: string, branch: string, wanted: string | null): Promise<Target | null> {
  const remotes = (await git(['remote'], { cwd: root })).split('\n').filter((name) => name !== '')
  const setting = async (key: string): Promise<string> =>
    (await tryGit(['config', '--get', `branch.${branch}.${key}`], { cwd: root })).stdout.trim()
  const followed = await setting('remote')
  const usual =
    [followed, 'origin'].find((name) => remotes.includes(name)) ?? (remotes.length === 1 ? remotes[0] : undefined)
  const remote = wanted ?? usual
  if (remote === undefined || !remotes.includes(remote)) return null
  const merge = followed === remote ? await setting('merge') : ''
  return { remote, ref: merge.startsWith('refs/heads/') ? merge : `refs/heads/${branch}` }
}

/** The object ids of refs on a remote, or the reason why the remote could not be asked. */
export async function askRemote(
  root: string,
  remote: string,
  refs: readonly string[],
): Promise<Map<string, string> | string> {
  const { exitCode, stdout, stderr, timedOut } = await tryGit(['ls-remote', '--', remote, ...refs], {
    cwd: root,
    timeoutMs: 30_000,
  })
  if (exitCode !== 0) return timedOut ? 'no answer' : firstError(stderr)
  return new Map(
    stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [object = '', ref = ''] = line.split('\t')
        return [ref, object] as const
      }),
  )
}

function firstError(text: string): string {
  const lines = withoutPasswords(text).split('\n')
  return plain(lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines[0] ?? '', 200)
}

/** Removes user names and passwords from URLs. */
export const withoutPasswords = (text: string): string => text.replace(/(:\/\/)[^@/\s]+@/g, '$1')

export interface Ran {
  ok: boolean
  /** The end of its output. */
  output: string
}

export type Argv = readonly [string, ...string[]]

interface Where {
  root: string
  env: NodeJS.ProcessEnv
  signal: AbortSignal
}

/**
 * Runs a program as the user, in the same process group, so that a password prompt can use the terminal. Never rejects.
 */
export function runAsUser([program, ...args]: Argv, { root, signal, ...where }: Where): Promise<Ran> {
  const prompt = process.stdin.isTTY ? {} : { GIT_TERMINAL_PROMPT: '0' }
  const env = { ...cleanEnvironment(where.env), ...prompt }
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ['inherit', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-16_000)
    }
    const stop = (): void => void child.kill('SIGTERM')
    signal.addEventListener('abort', stop, { once: true })
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => done({ ok: false, output: error.message }))
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop)
      done({ ok: code === 0, output })
    })
  })
}

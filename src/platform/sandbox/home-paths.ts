/**
 * Well-known paths in a home folder: credentials that are hidden from confined processes, and caches that are shared
 * with them. Pure.
 */
import { join } from 'node:path'

export interface Home {
  path: string
  env: Readonly<Record<string, string | undefined>>
}

/** Keys, tokens, cookies, and the sockets of programs that use them for the user. */
const credentials = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.oci',
  '.config/gcloud',
  '.config/doctl',
  '.config/op',
  '.config/sops',
  '.config/age',
  '.docker',
  '.config/containers',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh',
  '.config/hub',
  '.config/glab-cli',
  '.netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.config/pnpm/rc',
  '.pypirc',
  '.gem/credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.nuget/NuGet',
  '.config/rclone',
  '.vault-token',
  '.terraform.d/credentials.tfrc.json',
  '.terraformrc',
  '.pgpass',
  '.my.cnf',
  '.pulumi/credentials.json',
  '.config/heroku',
  '.config/netlify',
  '.config/vercel',
  '.local/share/com.vercel.cli',
  '.config/flyctl',
  '.fly',
  '.databrickscfg',
  '.s3cfg',
  '.boto',
  '.huggingface/token',
  '.cache/huggingface/token',
  '.kaggle',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.config/keepassxc',
  '.config/Bitwarden',
  '.config/1Password',
  '.mozilla',
  '.thunderbird',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/vivaldi',
  '.config/opera',
  '.cache/mozilla',
  '.cache/google-chrome',
  '.cache/chromium',
  '.config/Slack',
  '.config/discord',
  '.config/Signal',
  '.Xauthority',
  '.ICEauthority',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
  '.local/share/fish/fish_history',
  '.psql_history',
  '.mysql_history',
  'Library/Keychains',
  'Library/Cookies',
  'Library/Safari',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
  'Library/Application Support/BraveSoftware',
  'Library/Application Support/Microsoft Edge',
  'Library/Application Support/1Password',
  'Library/Group Containers',
  'Library/Messages',
  'Library/Mail',
]

/** Variables that point to credentials at other paths. */
const credentialVariables = [
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_CONFIG_FILE',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'CLOUDSDK_CONFIG',
  'KUBECONFIG',
  'DOCKER_CONFIG',
  'AZURE_CONFIG_DIR',
  'GNUPGHOME',
  'PASSWORD_STORE_DIR',
  'GH_CONFIG_DIR',
  'NPM_CONFIG_USERCONFIG',
  'npm_config_userconfig',
  'NETRC',
  'SSH_AUTH_SOCK',
  'XAUTHORITY',
]

/**
 * Rules for the agent's own configuration come after these. An agent that needs another credential gets it through
 * `sandboxAllow`.
 */
export const credentialPaths = ({ path, env }: Home): string[] => [
  ...credentials.map((name) => join(path, name)),
  ...credentialVariables.flatMap((name) => env[name]?.split(':') ?? []).filter((value) => value.startsWith('/')),
]

/**
 * Sockets and files of services: the system bus, containers, user sessions. They are hidden, because a process can
 * connect to a read-only socket.
 */
export const serviceFolders = ['/run', '/var/run']

/** Paths below them that programs need: name resolution, and the programs of NixOS. */
export const serviceExceptions = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/nscd',
  '/run/current-system',
  '/run/wrappers',
  '/run/booted-system',
  '/run/opengl-driver',
  '/run/host',
  '/run/shm',
]

export const sharedTemporary = ['/tmp', '/var/tmp']

/** Variables that point to sockets that do not exist in the sandbox. */
export const droppedVariables = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
]

export interface Cache {
  path: string
  /**
   * The variable that sets the folder. When the usual folder does not exist, it points to a private one, because a
   * missing folder cannot be created in the sandbox.
   */
  variable?: string
}

/** Downloads and build results of package managers. */
const caches = [
  '.m2/repository',
  '.nuget/packages',
  '.local/share/NuGet',
  '.local/share/pnpm',
  '.local/share/uv',
  '.bun/install/cache',
  '.yarn/berry',
  '.ivy2/cache',
  '.sbt/boot',
  '.hex',
  '.pub-cache',
  '.ccache',
  'Library/Caches',
  'Library/pnpm',
]

const replaceable = [
  { at: '.cache', variable: 'XDG_CACHE_HOME' },
  { at: '.npm', variable: 'npm_config_cache' },
  { at: 'go/pkg/mod', variable: 'GOMODCACHE' },
]

const cacheVariables = [
  ...replaceable.map(({ variable }) => variable),
  'GOCACHE',
  'PIP_CACHE_DIR',
  'UV_CACHE_DIR',
  'YARN_CACHE_FOLDER',
  'CCACHE_DIR',
  'SCCACHE_DIR',
  'NUGET_PACKAGES',
  'DENO_DIR',
]

/** Folders that contain caches beside programs and settings. Only the caches are shared. */
const parts = [
  { at: '.cargo', variable: 'CARGO_HOME', within: ['registry', 'git'] },
  { at: '.gradle', variable: 'GRADLE_USER_HOME', within: ['caches', 'wrapper', 'daemon', 'native'] },
]

export function cachePaths({ path, env }: Home): Cache[] {
  const moved = cacheVariables.flatMap((name) => env[name] ?? []).filter((value) => value.startsWith('/'))
  const shared = parts.flatMap(({ at, variable, within }) =>
    within.map((name) => join(env[variable] || join(path, at), name)),
  )
  return [
    ...replaceable
      .filter(({ variable }) => !env[variable])
      .map(({ at, variable }) => ({ path: join(path, at), variable })),
    ...[...caches.map((at) => join(path, at)), ...shared, ...moved].map((each) => ({ path: each })),
  ]
}

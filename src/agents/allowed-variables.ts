/** The variables that programs in a workspace may see without being named in the configuration. */
import { credentialsIn, isTelling } from './secret-values.ts'

const session = [
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TERM', 'TMPDIR', 'TMP', 'TEMP', 'TZ',
  'SSH_AUTH_SOCK', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY',
]

/** Where certificates of a company's proxy are: without them nothing behind one reaches its registry or its model. */
const certificates = [
  'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO',
  'PIP_CERT', 'CARGO_HTTP_CAINFO', 'NIX_SSL_CERT_FILE',
]

/** Where compilers, package managers and their caches are, and how they are set up. */
const toolchains = [
  'CARGO_HOME', 'CARGO_TARGET_DIR', 'CARGO_BUILD_JOBS', 'CARGO_INCREMENTAL', 'CARGO_NET_OFFLINE',
  'CARGO_TERM_COLOR', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN', 'RUSTFLAGS', 'RUSTDOCFLAGS', 'RUSTC_WRAPPER',
  'RUST_BACKTRACE', 'RUST_LOG', 'SCCACHE_DIR', 'GOPATH', 'GOROOT', 'GOFLAGS', 'GOPROXY', 'GOPRIVATE', 'GONOPROXY',
  'GONOSUMDB', 'GONOSUMCHECK', 'GOSUMDB', 'GOCACHE', 'GOMODCACHE', 'GOTOOLCHAIN', 'GOBIN', 'GOENV', 'GOWORK',
  'GOOS', 'GOARCH', 'GO111MODULE', 'CGO_ENABLED', 'CGO_CFLAGS', 'CGO_LDFLAGS', 'CC', 'CXX', 'AR', 'LD', 'CFLAGS',
  'CXXFLAGS', 'CPPFLAGS', 'LDFLAGS', 'CPATH', 'C_INCLUDE_PATH', 'CPLUS_INCLUDE_PATH', 'LIBRARY_PATH',
  'LD_LIBRARY_PATH', 'DYLD_FALLBACK_LIBRARY_PATH', 'PKG_CONFIG_PATH', 'CMAKE_PREFIX_PATH', 'CMAKE_GENERATOR',
  'CMAKE_BUILD_PARALLEL_LEVEL', 'CCACHE_DIR', 'SDKROOT', 'DEVELOPER_DIR', 'MACOSX_DEPLOYMENT_TARGET', 'CUDA_HOME',
  'CUDA_VISIBLE_DEVICES', 'JAVA_HOME', 'JDK_HOME', 'JAVA_OPTS', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'MAVEN_HOME',
  'M2_HOME', 'MAVEN_OPTS', 'MAVEN_ARGS', 'GRADLE_HOME', 'GRADLE_USER_HOME', 'GRADLE_OPTS', 'SDKMAN_DIR',
  'SBT_OPTS', 'KOTLIN_HOME', 'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'ANDROID_NDK_HOME', 'ANDROID_NDK_ROOT',
  'PYENV_ROOT', 'PYENV_VERSION', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'CONDA_EXE', 'CONDA_DEFAULT_ENV',
  'CONDA_PYTHON_EXE', 'PYTHONPATH', 'PYTHONHOME', 'PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE', 'PYTHONUTF8',
  'PYTHONIOENCODING', 'PYTHONHASHSEED', 'PIPENV_VENV_IN_PROJECT', 'NVM_DIR', 'NVM_BIN', 'VOLTA_HOME', 'FNM_DIR',
  'FNM_MULTISHELL_PATH', 'N_PREFIX', 'NODE_PATH', 'NODE_ENV', 'PNPM_HOME', 'COREPACK_HOME', 'YARN_CACHE_FOLDER',
  'YARN_GLOBAL_FOLDER', 'BUN_INSTALL', 'DENO_DIR', 'DENO_INSTALL', 'PLAYWRIGHT_BROWSERS_PATH', 'CHROME_BIN',
  'CHROME_PATH', 'PUPPETEER_EXECUTABLE_PATH', 'PUPPETEER_CACHE_DIR', 'PUPPETEER_SKIP_DOWNLOAD',
  'CYPRESS_CACHE_FOLDER', 'GEM_HOME', 'GEM_PATH', 'RBENV_ROOT', 'RBENV_VERSION', 'RUBYLIB', 'RUBYOPT', 'RAILS_ENV',
  'RACK_ENV', 'BUNDLE_PATH', 'BUNDLE_JOBS', 'BUNDLE_WITHOUT', 'BUNDLE_APP_CONFIG', 'rvm_path', 'COMPOSER_HOME',
  'COMPOSER_CACHE_DIR', 'DOTNET_ROOT', 'DOTNET_CLI_HOME', 'DOTNET_CLI_TELEMETRY_OPTOUT', 'NUGET_PACKAGES',
  'MIX_ENV', 'MIX_HOME', 'HEX_HOME', 'ASDF_DIR', 'ASDF_DATA_DIR', 'CABAL_DIR', 'STACK_ROOT', 'OPAMROOT',
  'OPAMSWITCH', 'OPAM_SWITCH_PREFIX', 'PUB_CACHE', 'FLUTTER_ROOT', 'NIX_PATH', 'NIX_PROFILES', 'IN_NIX_SHELL',
  'HOMEBREW_PREFIX', 'HOMEBREW_CELLAR', 'HOMEBREW_REPOSITORY', 'DOCKER_HOST', 'DOCKER_CONTEXT',
  'TF_PLUGIN_CACHE_DIR', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_SSH',
  'GIT_SSH_COMMAND',
]
const toolPrefixes = ['npm_config_', 'NPM_CONFIG_', 'PIP_', 'UV_', 'POETRY_', 'MISE_', 'PLAYWRIGHT_', 'TESTCONTAINERS_']

const proxies = new Set(['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'])
const usual = new Set([...session, ...certificates])
const tools = new Set(toolchains)

/** A variable of a tool passes only without a secret: a registry's token is named in `pass` where it is needed. */
export function isAllowed(name: string, value: string): boolean {
  if (usual.has(name) || proxies.has(name.toLowerCase()) || /^(?:LC|XDG)_/.test(name)) return true
  const isTool = tools.has(name) || toolPrefixes.some((prefix) => name.startsWith(prefix))
  return isTool && !isTelling(name) && credentialsIn(value).length === 0
}

/** Files that programs make from others: they seldom belong into a commit. */

const folders = new Set([
  '__pycache__',
  'node_modules',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  '.nox',
  '.venv',
  '.gradle',
  '.nyc_output',
])
const endings = /\.(?:py[co]|class|o|obj|tsbuildinfo|egg-info|sw[op])$|^(?:\.DS_Store|Thumbs\.db|\.coverage)$/

/** Whether the path looks like a build product, a cache or a file of an editor. */
export function isBuildProduct(path: string): boolean {
  const parts = path.split('/')
  const isInside = parts.slice(0, -1).some((part) => folders.has(part) || part.endsWith('.egg-info'))
  return isInside || endings.test(parts.at(-1) ?? '')
}

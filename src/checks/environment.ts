/** What a check sees of the environment: everything but secrets, and the signs that make tools run once, plainly, and without asking. */

/** Left over when Looper itself runs under git or a test runner, these would send the check's own git and tests elsewhere. */
const inherited = [
  'GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_COMMON_DIR', 'GIT_PREFIX', 'NODE_TEST_CONTEXT',
]

export function checkEnvironment(source: NodeJS.ProcessEnv, secrets: readonly string[]): NodeJS.ProcessEnv {
  const hidden = new Set([...secrets, ...inherited])
  const kept = Object.entries(source).filter(([name]) => !hidden.has(name))
  return { CI: 'true', ...Object.fromEntries(kept), NO_COLOR: '1', FORCE_COLOR: '0', LOOPER_INSIDE: '1' }
}

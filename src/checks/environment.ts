/** Adds variables that make a check's tools run once, without colors and without prompts. */

/** Inherited when Looper itself runs under git or a test runner. They would redirect the check's own git and tests. */
const inherited = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_COMMON_DIR',
  'GIT_PREFIX',
  'NODE_TEST_CONTEXT',
])

export function checkEnvironment(seen: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(seen).filter(([name]) => !inherited.has(name))
  return { CI: 'true', ...Object.fromEntries(kept), NO_COLOR: '1', FORCE_COLOR: '0', LOOPER_INSIDE: '1' }
}

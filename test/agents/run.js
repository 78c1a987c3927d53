/**
 * `npm run test:agents [-- --all] [--only claude,codex] [arguments of vitest]`: whole runs with the real CLIs and a
 * scripted model. Not part of `npm test`, because the CLIs are several hundred megabytes.
 */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const args = process.argv.slice(2)

/** @type {(flag: string, values: number) => string[] | null} */
function take(flag, values) {
  const at = args.indexOf(flag)
  return at < 0 ? null : args.splice(at, 1 + values).slice(1)
}

const only = take('--only', 1)?.[0]
const wanted = take('--all', 0) === null ? (only ?? '') : 'all'

const vitest = [
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--config',
  join(import.meta.dirname, 'vitest.config.ts'),
  ...args,
]
spawn(process.execPath, vitest, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, LOOPER_TEST_AGENTS: wanted },
}).on('exit', (code) => {
  process.exitCode = code ?? 1
})

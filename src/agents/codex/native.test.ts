import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createNative } from './native.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'looper-native-')))
afterAll(() => rmSync(root, { recursive: true }))
const linux = { platform: 'linux', arch: 'x64' }

function program(path: string, mode = 0o755): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  chmodSync(path, mode)
  return path
}

/** As npm installs it: a link on the PATH to a script in the package. */
function install(name: string): { link: string; modules: string } {
  const modules = join(root, name, 'node_modules')
  program(join(modules, '@openai', 'codex', 'bin', 'codex.js'))
  mkdirSync(join(modules, '.bin'), { recursive: true })
  symlinkSync('../@openai/codex/bin/codex.js', join(modules, '.bin', 'codex'))
  return { link: join(modules, '.bin', 'codex'), modules: join(modules, '@openai') }
}

test.each([
  ['beside the package', 'codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex'],
  ['inside the package', 'codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex'],
  ['in the package itself, as it was', 'codex/vendor/x86_64-unknown-linux-musl/codex/codex'],
])('the program %s is found', async (name, path) => {
  const { link, modules } = install(name.replaceAll(' ', '-'))
  for (const triple of ['aarch64-unknown-linux-musl', 'x86_64-apple-darwin'])
    program(join(modules, 'codex/vendor', triple, 'codex/codex'))
  const native = program(join(modules, path))
  expect(await createNative(linux)(link)).toBe(native)
})

test('on a Mac that of a Mac is found', async () => {
  const { link, modules } = install('mac')
  program(join(modules, 'codex/vendor/aarch64-unknown-linux-musl/codex/codex'))
  const native = program(join(modules, 'codex-darwin-arm64/vendor/aarch64-apple-darwin/bin/codex'))
  expect(await createNative({ platform: 'darwin', arch: 'arm64' })(link)).toBe(native)
})

test('a file that is not executable is ignored, and without a binary the script is started', async () => {
  const { link, modules } = install('broken')
  program(join(modules, 'codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex'), 0o644)
  expect(await createNative(linux)(link)).toBe(link)
})

test('a program that is no script is started as it is', async () => {
  const native = program(join(root, 'homebrew', 'codex'))
  expect(await createNative(linux)(native)).toBe(native)
  expect(await createNative(linux)(join(root, 'gone'))).toBe(join(root, 'gone'))
})

/** Ecosystems whose tests are one command that needs no other set-up. */
import { check, hasFile, type Ecosystem, type Project } from './project.ts'

type Command = [names: readonly string[], name: string, run: string, tests?: RegExp]

const commands: readonly Command[] = [
  [['deno.json', 'deno.jsonc'], 'deno test', 'deno test', /(?:^|\/|[._])test\.[jt]sx?$/],
  [['Package.swift'], 'swift test', 'swift test', /^Tests\//],
  [['build.zig'], 'zig test', 'zig build test'],
  [['cabal.project', 'stack.yaml'], 'cabal test', 'cabal test all'],
  [['rebar.config'], 'rebar3 eunit', 'rebar3 eunit', /^test\/|_tests\.erl$/],
  [['build.sbt'], 'sbt test', 'sbt test'],
  [['project.clj'], 'lein test', 'lein test'],
  [['dune-project'], 'dune test', 'dune test'],
  [['Makefile.PL', 'Build.PL', 'cpanfile'], 'prove', 'prove -lr t', /^t\/.*\.t$/],
]

export const singleCommands: readonly Ecosystem[] = [
  ...commands.map(([names, name, run, tests]): Ecosystem => ({
    isManifest: (file) => names.includes(file),
    discover: async (project) => (tests === undefined || hasFile(project, tests) ? { checks: [check(name, run)] } : {}),
  })),
  {
    isManifest: (file) => file === 'pubspec.yaml',
    discover: async (project) => (hasFile(project, /^test\/.*_test\.dart$/) ? dartTest(project) : {}),
  },
]

async function dartTest(project: Project): Promise<ReturnType<Ecosystem['discover']>> {
  const program = /^\s*flutter:/m.test((await project.read('pubspec.yaml')) ?? '') ? 'flutter' : 'dart'
  return { setup: [`${program} pub get`], checks: [check(`${program} test`, `${program} test`)] }
}

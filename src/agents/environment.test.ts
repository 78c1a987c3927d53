import { expect, test } from 'vitest'
import { agentEnvironment, toolEnvironment, withheld } from './environment.ts'

test('only what is allowed passes', () => {
  const kept = {
    PATH: '/bin',
    HOME: '/root',
    LC_ALL: 'C',
    XDG_CONFIG_HOME: '/x',
    SSH_AUTH_SOCK: '/s',
    https_proxy: 'p',
    HTTPS_PROXY: 'p',
    NO_PROXY: 'n',
    ANTHROPIC_API_KEY: 'k',
    CLAUDE_CONFIG_DIR: '/c',
    OPENAI_API_KEY: 'o',
    CODEX_HOME: '/h',
    GEMINI_API_KEY: 'g',
    OPENCODE_CONFIG: 'c',
  }
  const dropped = {
    NODE_OPTIONS: '--inspect',
    GITHUB_TOKEN: 't',
    LD_PRELOAD: 'x',
    GIT_DIR: '/g',
    LOOPER_MARK: 'm',
    AWS_SECRET_ACCESS_KEY: 'a',
    NOPATH: '1',
  }
  expect(agentEnvironment({ ...kept, ...dropped, TZ: undefined }, {})).toEqual(kept)
})

test('configured variables are added', () => {
  expect(agentEnvironment({ PATH: '/bin', OTHER: '1' }, { env: { PATH: '/mine', OTHER: '2' } })).toEqual({
    PATH: '/mine',
    OTHER: '2',
  })
})

test('so does what it lets pass by name, where there is such a variable', () => {
  const source = { AWS_REGION: 'r', AWS_PROFILE: 'p', OTHER: '1' }
  expect(
    agentEnvironment(source, { pass: ['AWS_REGION', 'AWS_PROFILE', 'MISSING'], env: { AWS_PROFILE: 'q' } }),
  ).toEqual({ AWS_REGION: 'r', AWS_PROFILE: 'q' })
})

test('checks see toolchains and no keys of agents', () => {
  const kept = {
    PATH: '/bin',
    CARGO_HOME: '/c',
    GOPATH: '/g',
    GOPROXY: 'https://proxy.example.org',
    npm_config_cache: '/n',
    NODE_OPTIONS: '--inspect',
    CI: '1',
    HTTPS_PROXY: 'http://me:hunter22@proxy',
    JAVA_HOME: '/j',
  }
  const dropped = {
    ANTHROPIC_API_KEY: 'k',
    OPENAI_BASE_URL: 'o',
    GITHUB_TOKEN: 't',
    DATABASE_URL: 'd',
    npm_config__authToken: 't',
    UV_PUBLISH_TOKEN: 't',
    PIP_INDEX_URL: 'https://me:hunter22@pypi.example.org',
    CARGO_REGISTRY_TOKEN: 't',
    LOOPER_MARK: 'm',
  }
  expect(toolEnvironment({ ...kept, ...dropped }, {})).toEqual(kept)
  expect(toolEnvironment(dropped, { pass: ['DATABASE_URL'], env: { OTHER: '1' } })).toEqual({
    DATABASE_URL: 'd',
    OTHER: '1',
  })
})

test('withheld variables are listed by name, except those of a shell', () => {
  const source = {
    PATH: '/bin',
    DATABASE_URL: 'd',
    SHLVL: '1',
    PWD: '/x',
    _: 'x',
    HISTSIZE: '9',
    LOOPER_MARK: 'm',
    A: '1',
  }
  expect(withheld(source, { PATH: '/bin' })).toEqual(['DATABASE_URL'])
})

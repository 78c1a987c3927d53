import { expect, test } from 'vitest'
import { agentEnvironment } from './environment.ts'

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

test('what the configuration adds comes on top', () => {
  expect(agentEnvironment({ PATH: '/bin', OTHER: '1' }, { env: { PATH: '/mine', OTHER: '2' } })).toEqual({ PATH: '/mine', OTHER: '2' })
})

test('so does what it lets pass by name, where there is such a variable', () => {
  const source = { AWS_REGION: 'r', AWS_PROFILE: 'p', OTHER: '1' }
  expect(agentEnvironment(source, { pass: ['AWS_REGION', 'AWS_PROFILE', 'MISSING'], env: { AWS_PROFILE: 'q' } })).toEqual({ AWS_REGION: 'r', AWS_PROFILE: 'q' })
})

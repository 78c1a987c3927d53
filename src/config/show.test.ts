import { describe, expect, test } from 'vitest'
import { loadConfig } from './layers.ts'
import { showConfig } from './show.ts'

const shown = showConfig(
  loadConfig({
    root: null,
    home: '/nowhere',
    env: {
      LOOPER_AGENTS: '{"my.own":{"command":["x"],"env":{"TOKEN":"hunter2","OTHER":""}}}',
      LOOPER_LIMITS_TURNS: '3',
    },
    flags: { 'limits.tokens': 10 },
  }),
)

describe('showConfig', () => {
  test('D6: gives every value with its source', () => {
    expect(shown['parallel']).toEqual({ value: 4, source: 'default' })
    expect(shown['limits.turns']).toEqual({ value: 3, source: 'env LOOPER_LIMITS_TURNS' })
    expect(shown['limits.tokens']).toEqual({ value: 10, source: 'flag --tokens' })
    expect(shown['roles']).toEqual({ value: {}, source: 'default' })
    expect(shown['agents.my.own.command']).toEqual({ value: ['x'], source: 'env LOOPER_AGENTS' })
  })

  test('gives groups as a whole, with all that had a say in them', () => {
    expect(shown['limits']?.value).toMatchObject({ turns: 3, tokens: 10, timeMinutes: 120 })
    expect(shown['limits']?.source).toBe('default, flag --tokens, env LOOPER_LIMITS_TURNS')
    expect(Object.keys(shown).indexOf('limits')).toBe(Object.keys(shown).indexOf('limits.timeMinutes') - 1)
  })

  test('never shows what agents have in their environment', () => {
    expect(shown['agents.my.own.env.TOKEN']).toEqual({ value: '***', source: 'env LOOPER_AGENTS' })
    expect(shown['agents']?.value).toEqual({ 'my.own': { command: ['x'], env: { TOKEN: '***', OTHER: '***' } } })
    expect(JSON.stringify(shown)).not.toContain('hunter2')
  })

  test('nor what checks and set-up have in theirs', () => {
    const { config, sources } = loadConfig({
      root: null,
      home: '/nowhere',
      env: {
        LOOPER_CHECKS: '["npm test",{"name":"db","run":"make db","env":{"TOKEN":"hunter2"},"pass":["DATABASE_URL"]}]',
        LOOPER_WORKSPACE_ENV: '{"TOKEN":"hunter2"}',
      },
    })
    const own = showConfig({ config, sources })
    expect(own['checks']?.value).toEqual([
      { name: 'npm test', run: 'npm test' },
      { name: 'db', run: 'make db', env: { TOKEN: '***' }, pass: ['DATABASE_URL'] },
    ])
    expect(JSON.stringify(own)).not.toContain('hunter2')
  })
})

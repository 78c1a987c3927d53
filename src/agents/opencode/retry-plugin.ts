/**
 * A plugin that OpenCode runs: it prints one line whenever OpenCode waits before a retry. OpenCode retries for hours
 * without output and has no setting to limit that.
 */

/**
 * Shortens the installation of the plugin library, for which OpenCode waits before it loads any plugin: minutes without
 * a registry. The plugin removes these variables again, so that the agent's commands do not see them.
 */
export const impatience: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: '0',
  npm_config_fetch_timeout: '10000',
}

export const retryPlugin = (agentEnv: Readonly<Record<string, string>>): string => {
  const own = Object.keys(impatience).filter((name) => !Object.hasOwn(agentEnv, name))
  return `for (const name of ${JSON.stringify(own)}) delete process.env[name]

export const LooperRetries = async () => ({
  event: async ({ event }) => {
    const { sessionID, status } = event?.properties ?? {}
    if (event?.type !== 'session.status' || status?.type !== 'retry') return
    const { attempt, message, next } = status
    const line = { type: 'looper_retry', timestamp: Date.now(), sessionID, attempt, message, next }
    process.stdout.write(JSON.stringify(line) + '\\n')
  },
})
`
}

/**
 * OpenCode tries again for hours without a word, and takes no setting for that.
 * This is a plugin of its own kind, run by it, that prints one line whenever it decides to wait.
 */

/**
 * Before it loads any plugin it waits until a library for plugins is installed, for minutes where there is no registry.
 * The plugin takes these out of the environment again, so that the commands of agents do not find them there.
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
    process.stdout.write(JSON.stringify({ type: 'looper_retry', timestamp: Date.now(), sessionID, attempt, message, next }) + '\\n')
  },
})
`
}

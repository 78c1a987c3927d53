export interface PinnedAgent {
  package: string
  version: string
  program: string
}
export const agentVersions: Record<string, PinnedAgent>
export const agentCache: string
export function installAgent(name: string, onInstall?: (what: string) => void): Promise<string>

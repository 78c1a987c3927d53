/** Probes an ACP agent with one `initialize` request: no session, no tokens. */
import { messageOf } from '../../model/error.ts'
import type { Probe, ProbeRequest } from '../adapter.ts'
import { boundedText } from '../bounded-text.ts'
import { dig, objectOf } from '../json.ts'
import { startAgentProcess, type AgentProcess } from './driver/agent-process.ts'
import { greeting, objectTo } from './driver/converse.ts'
import { createPeer, type Peer } from './driver/peer.ts'

const plainVersion = /^[\w.+-]{1,40}$/

export const createProbe =
  (patienceMs: number) =>
  async ({ agent, env }: ProbeRequest): Promise<Probe> => {
    const [program = '', ...args] = agent.acp ?? []
    const peer: Peer = createPeer({
      write: (line) => child.write(line),
      answer: () => undefined,
      onNotification() {},
      onUnreadable() {},
    })
    const child: AgentProcess = startAgentProcess({
      argv: [program, ...args, ...(agent.args ?? [])],
      env,
      onLine: (line) => peer.take(line),
      onComplaint() {},
    })
    child.gone.then(
      ({ stderr }) => peer.close(new Error(`it ended${stderr === '' ? '' : `: ${stderr}`}`)),
      (why: unknown) => peer.close(why as Error),
    )
    const late = setTimeout(() => peer.close(new Error(`no answer within ${patienceMs / 1_000} s`)), patienceMs)
    try {
      const hello = objectOf(await peer.ask('initialize', greeting)) ?? {}
      const [version, objection] = [dig(hello, 'agentInfo', 'version'), objectTo(hello)]
      const isPlain = typeof version === 'string' && plainVersion.test(version)
      return {
        version: isPlain ? version : null,
        login: 'unknown',
        problems: objection === null ? [] : [`${objection}.`],
      }
    } catch (error) {
      const words = boundedText(messageOf(error), undefined, 300)
      const problem = `It does not answer like an agent that speaks ACP (${words}): check its command line.`
      return { version: null, login: 'unknown', problems: [problem] }
    } finally {
      clearTimeout(late)
      await child.end()
    }
  }

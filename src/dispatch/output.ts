/**
 * Follows the files an agent writes to: passes the stream to its parser line by line, and keeps only the end of stderr.
 */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import type { AgentParser } from '../agents/adapter.ts'
import type { Mask } from '../agents/mask.ts'
import type { Quota } from '../model/work.ts'
import { createLineSplitter } from '../platform/line-splitter.ts'
import { openPlainFile } from '../platform/plain-file.ts'
import { createQuotas } from './quotas.ts'
import type { TurnFolder } from './turn-folder.ts'

export interface OutputLimits {
  /** A longer line is not parsed. */
  lineBytes: number
  /** Exceeding this, stdout and stderr together, ends the turn. */
  totalBytes: number
  resultBytes: number
}

export const defaultOutputLimits: OutputLimits = {
  lineBytes: 10 * 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
  resultBytes: 4 * 1024 * 1024,
}

/** The turn that the files belong to. */
export interface Written {
  folder: TurnFolder
  parser: AgentParser
  mask: Mask
}

export interface Output {
  /** Files for the agent, opened in append mode. */
  streamFile: number
  stderrFile: number
  /** Bytes written so far, whether read or not. */
  size(): number
  /** Reads a bounded amount; returns whether more is already available. */
  read(): boolean
  /** Reads to the end without blocking other work. */
  readAll(): Promise<void>
  stderrTail(): string
  /** The quotas that the agent reported, the newest of each. */
  quotas(): Quota[]
  close(): void
}

const tailBytes = 16 * 1024
const blocksPerRead = 64
const block = Buffer.allocUnsafeSlow(64 * 1024)

/** Creates missing files. Throws when an agent has replaced one of them with something else. */
export function openOutput({ folder, parser, mask }: Written, limits: OutputLimits): Output {
  const streamFile = openPlainFile(folder.stream, 'append')
  const stderrFile = openNext(streamFile, folder.stderr)
  const quotas = createQuotas(mask)
  const take = (line: string): void => {
    for (const event of parser.push(line)) {
      if (event.type === 'quota') quotas.record(event)
    }
  }
  const splitter = createLineSplitter(limits.lineBytes, take, (bytes) => parser.skip(bytes))
  let offset = 0
  let open = true

  const read = (): boolean => {
    for (let blocks = 0; blocks < blocksPerRead && offset < limits.totalBytes; blocks++) {
      const count = readSync(streamFile, block, 0, block.length, offset)
      if (count === 0) return false
      offset += count
      splitter.push(block.subarray(0, count))
      if (count < block.length) return false
    }
    return offset < limits.totalBytes
  }
  return {
    streamFile,
    stderrFile,
    read,
    size: () => fstatSync(streamFile).size + fstatSync(stderrFile).size,
    async readAll() {
      while (read()) await breathe()
      splitter.end()
    },
    stderrTail() {
      const { size } = fstatSync(stderrFile)
      const bytes = Buffer.alloc(Math.min(size, tailBytes))
      return bytes.toString('utf8', 0, readSync(stderrFile, bytes, 0, bytes.length, size - bytes.length))
    },
    quotas: quotas.list,
    close() {
      if (open) for (const file of [streamFile, stderrFile]) closeSync(file)
      open = false
    },
  }
}

function openNext(opened: number, path: string): number {
  try {
    return openPlainFile(path, 'append')
  } catch (error) {
    closeSync(opened)
    throw error
  }
}

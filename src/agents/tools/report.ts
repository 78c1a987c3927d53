/** The tool by which an agent gives its answer. It reports problems at once, while the model still has its context. */
import type { Purpose } from '../../model/purposes.ts'
import { writeAtomic } from '../../platform/files.ts'
import { isObject } from '../../model/object.ts'
import { readPlainFile } from '../../platform/plain-file.ts'
import { resultJsonSchema, validateResult } from '../result.ts'
import type { Tool } from './server.ts'

export interface ReportFiles {
  purpose: Purpose
  /** The JSON Schema of the answer that the agent was given. */
  schemaFile: string
  resultFile: string
}

/** Same limit as Looper's reader. */
const maxBytes = 4 * 1024 * 1024

export async function createReportTool({ purpose, schemaFile, resultFile }: ReportFiles): Promise<Tool> {
  return {
    name: 'report',
    description:
      'Report the result of your turn. Call it once, when all work is done. Only this call counts as your answer. '
      + 'If it reports an error, fix it and call the tool again.',
    inputSchema: readSchema(schemaFile) ?? (await resultJsonSchema(purpose)),
    async call(input) {
      const text = JSON.stringify(input)
      if (Buffer.byteLength(text) > maxBytes) return refuse(['answer: too long'])
      const validation = await validateResult(purpose, input)
      if (!validation.ok) return refuse(validation.errors)
      await writeAtomic(resultFile, text, { mode: 0o600 })
      return { text: 'Accepted. End your turn now: no further text is needed.', isError: false }
    },
  }
}

const refuse = (errors: readonly string[]): { text: string; isError: boolean } => ({
  text: ['Not accepted. Fix this and call report again:', ...errors.map((error) => `- ${error}`)].join('\n'),
  isError: true,
})

/** Null when the file cannot be read or is not an object schema. */
function readSchema(path: string): object | null {
  try {
    const schema: unknown = JSON.parse(readPlainFile(path, maxBytes) ?? '')
    return isObject(schema) && schema.type === 'object' ? schema : null
  } catch {
    return null
  }
}

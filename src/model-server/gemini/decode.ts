/** Decodes a request of the Gemini API; its path contains the model and whether to stream. */
import { objectIn, objectsIn, textIn, wordsIn, type JsonObject } from '../json.ts'
import type { ModelMessage, ModelRequest } from '../model-request.ts'
import type { Asked } from '../provider.ts'

export function decode(body: unknown, { model, stream }: Asked): ModelRequest {
  const request = objectIn(body)
  const settings = objectIn(request['generationConfig'])
  return {
    provider: 'gemini',
    model,
    system: wordsIn(objectIn(request['systemInstruction'])['parts']),
    messages: objectsIn(request['contents']).map(messageOf),
    tools: objectsIn(request['tools'])
      .flatMap((group) => objectsIn(group['functionDeclarations']))
      .map((tool) => ({
        name: textIn(tool['name']),
        kind: 'function',
        namespace: null,
        schema: tool['parametersJsonSchema'] ?? tool['parameters'] ?? null,
      })),
    schema: settings['responseJsonSchema'] ?? settings['responseSchema'] ?? null,
    stream,
  }
}

function messageOf(content: JsonObject): ModelMessage {
  const parts = objectsIn(content['parts'])
  const inside = (key: string): JsonObject[] => parts.flatMap((part) => objectsIn([part[key]]))
  return {
    role: content['role'] === 'model' ? 'assistant' : 'user',
    text: wordsIn(parts.filter(({ thought }) => thought !== true)),
    toolCalls: inside('functionCall').map(({ id, name, args }) => ({
      id: textIn(id),
      name: textIn(name),
      input: args,
    })),
    toolResults: inside('functionResponse').map(({ id, response }) => ({
      id: textIn(id),
      text: JSON.stringify(response ?? null),
    })),
  }
}

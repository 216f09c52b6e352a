import { type Dialect, type Json, json, listOf, newId } from './dialect.ts'

/** Gemini's `generateContent`: Gemini CLI. */
export const generateContent: Dialect = {
  takes: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  // A side request wants JSON, and takes no part in the conversation.
  tools: (request) => (schemaOf(request) === undefined ? listOf(request, 'tools').length : 0),
  turns: (request) =>
    listOf(request, 'contents').filter(
      (content) => content.role === 'model' && listOf(content, 'parts').some(({ functionCall }) => functionCall),
    ).length,
  answer(request, call, path) {
    const schema = schemaOf(request)
    const said = { text: schema ? JSON.stringify(exampleOf(schema)) : 'Done.' }
    const called = call && { functionCall: { name: call.name, args: call.args }, thoughtSignature: 'c2tpcA==' }
    const answer = {
      candidates: [{ content: { role: 'model', parts: [called ?? said] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      ...{ modelVersion: 'scripted', responseId: newId('r') },
    }
    if (path.endsWith(':generateContent')) return json(answer)
    return { type: 'text/event-stream', body: `data: ${JSON.stringify(answer)}\r\n\r\n` }
  },
}

interface Schema {
  type?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
}

function schemaOf({ generationConfig }: Json): Schema | undefined {
  const { responseJsonSchema, responseSchema } = (generationConfig ?? {}) as Record<string, Schema | undefined>
  return responseJsonSchema ?? responseSchema
}

const simplest: Readonly<Record<string, unknown>> = { array: [], boolean: true, number: 1, integer: 1 }

/** The simplest value of a schema. */
function exampleOf({ type = '', properties, enum: values }: Schema): unknown {
  if (properties) return Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, exampleOf(one)]))
  return values?.[0] ?? simplest[type.toLowerCase()] ?? 'ok'
}

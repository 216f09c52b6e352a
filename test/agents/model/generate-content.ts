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
  answer(request, { text, calls }, path) {
    const schema = schemaOf(request)
    const said = text === undefined ? [] : [{ text }]
    const called = calls.map(({ name, args }) => ({ functionCall: { name, args }, thoughtSignature: 'c2tpcA==' }))
    const parts = schema ? [{ text: JSON.stringify(exampleOf(schema)) }] : [...said, ...called]
    const answer = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
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

/** The simplest value of a schema. */
function exampleOf(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0]
  const type = schema.type?.toLowerCase()
  if (type === 'object' || schema.properties)
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, one]) => [key, exampleOf(one)]))
  if (type === 'array') return []
  if (type === 'boolean') return true
  return type === 'number' || type === 'integer' ? 1 : 'ok'
}

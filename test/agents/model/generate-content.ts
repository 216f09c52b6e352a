import { type Json, record, recordList, textField } from '../../../src/cli/client/json.ts'
import { type Dialect, json, newId } from './dialect.ts'

/** Gemini's `generateContent`: Gemini CLI. */
export const generateContent: Dialect = {
  takes: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  // A side request for JSON takes no part in the conversation.
  tools: (request) =>
    wantedSchema(request)
      ? []
      : recordList(request, 'tools')
          .flatMap((tool) => recordList(tool, 'functionDeclarations'))
          .map((tool) => textField(tool, 'name') ?? ''),
  turns: (request) =>
    recordList(request, 'contents').filter(
      (content) => content.role === 'model' && recordList(content, 'parts').some(({ functionCall }) => functionCall),
    ).length,
  answer(request, { text, calls }, path) {
    const schema = wantedSchema(request)
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

function wantedSchema(request: Json): Json | undefined {
  const config = record(request, 'generationConfig')
  return config.responseJsonSchema || config.responseSchema
    ? record(config, config.responseJsonSchema ? 'responseJsonSchema' : 'responseSchema')
    : undefined
}

/** The simplest value of a schema. */
function exampleOf(schema: Json): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const type = String(schema.type ?? '').toLowerCase()
  const properties = record(schema, 'properties')
  if (type === 'object' || schema.properties)
    return Object.fromEntries(Object.keys(properties).map((key) => [key, exampleOf(record(properties, key))]))
  if (type === 'array') return []
  if (type === 'boolean') return true
  return type === 'number' || type === 'integer' ? 1 : 'ok'
}

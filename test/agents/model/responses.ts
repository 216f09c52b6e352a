import { type Dialect, eventStream, type Json, listOf, newId, type ScriptedCall } from './dialect.ts'

const calling = ['function_call', 'custom_tool_call', 'local_shell_call', 'tool_search_call']

/** OpenAI's Responses: Codex. */
export const responses: Dialect = {
  takes: (path) => path.endsWith('/responses'),
  tools: (request) => listOf(request, 'tools').length,
  turns: (request) => listOf(request, 'input').filter(({ type }) => calling.includes(String(type))).length,
  answer(request, call) {
    const item: Json = { ...(call ? callOf(call, request) : done), status: 'completed' }
    const usage = {
      ...{ input_tokens: 10, input_tokens_details: { cached_tokens: 0 } },
      ...{ output_tokens: 5, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 15 },
    }
    const response = {
      ...{ id: newId('resp'), object: 'response', created_at: 1_795_000_000, model: request.model },
      ...{ status: 'completed', output: [item], usage },
    }
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ]
    return eventStream(events.map((event, sequence_number) => ({ ...event, sequence_number })))
  },
}

const said = [{ type: 'output_text', annotations: [], text: 'Done.' }]
const done = { type: 'message', role: 'assistant', id: newId('msg'), content: said }

function callOf({ name, args, input }: ScriptedCall, request: Json): Json {
  const call_id = newId('call')
  if (name === 'tool_search')
    return { type: 'tool_search_call', id: newId('tsc'), call_id, execution: 'client', arguments: args }
  if (input !== undefined) return { type: 'custom_tool_call', id: newId('ctc'), call_id, name, input }
  const space = namespaces(request).find((one) => listOf(one, 'tools').some((tool) => tool.name === name))
  const namespace = space && { namespace: space.name }
  return { type: 'function_call', id: newId('fc'), call_id, name, ...namespace, arguments: JSON.stringify(args) }
}

/** Of the request, and of what its searches found. */
function namespaces(request: Json): Json[] {
  const found = listOf(request, 'input').filter(({ type }) => type === 'tool_search_output')
  return [request, ...found].flatMap((one) => listOf(one, 'tools')).filter(({ type }) => type === 'namespace')
}

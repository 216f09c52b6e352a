import { type Json, recordList, textField } from '../../../src/cli/client/json.ts'
import { type Dialect, eventStream, json, newId, type ScriptedCall } from './dialect.ts'

const calling = ['function_call', 'custom_tool_call', 'local_shell_call', 'tool_search_call']

/** OpenAI's Responses: Codex. */
export const responses: Dialect = {
  takes: (path) => path.endsWith('/responses'),
  tools: (request) =>
    toolsOf(request).flatMap((tool) =>
      tool.type === 'namespace' ? recordList(tool, 'tools').map(nameOf) : [nameOf(tool)],
    ),
  turns: (request) => recordList(request, 'input').filter(({ type }) => calling.includes(String(type))).length,
  answer(request, { text, calls }) {
    const output: Json[] = [
      ...(text === undefined
        ? []
        : [{ type: 'message', role: 'assistant', id: newId('msg'), content: [{ ...textPart, text }] }]),
      ...calls.map((call) => itemOf(call, request)),
    ].map((item) => ({ ...item, status: 'completed' }))
    const usage = {
      ...{ input_tokens: 10, input_tokens_details: { cached_tokens: 0 } },
      ...{ output_tokens: 5, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 15 },
    }
    const response = {
      ...{ id: newId('resp'), object: 'response', created_at: 1_795_000_000, model: request.model },
      ...{ status: 'completed', output, usage },
    }
    if (request.stream !== true) return json(response)
    const items = output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
      ...deltasOf(item, output_index),
      { type: 'response.output_item.done', output_index, item },
    ])
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...items,
      { type: 'response.completed', response },
    ].map((event, sequence_number) => ({ ...event, sequence_number }))
    return eventStream(events, { isNamed: true })
  },
}

const textPart = { type: 'output_text', annotations: [] }

function nameOf(tool: Json): string {
  return textField(tool, 'name') ?? String(tool.type)
}

/** The tools of the request, and those that its searches found. */
function toolsOf(request: Json): Json[] {
  const found = recordList(request, 'input').filter(({ type }) => type === 'tool_search_output')
  return [...recordList(request, 'tools'), ...found.flatMap((item) => recordList(item, 'tools'))]
}

function itemOf({ name, args, input }: ScriptedCall, request: Json): Json {
  const call_id = newId('call')
  if (name === 'tool_search')
    return { type: 'tool_search_call', id: newId('tsc'), call_id, execution: 'client', arguments: args }
  if (input !== undefined) return { type: 'custom_tool_call', id: newId('ctc'), call_id, name, input }
  const space = toolsOf(request).find(
    (tool) => tool.type === 'namespace' && recordList(tool, 'tools').some((one) => nameOf(one) === name),
  )
  const namespace = space === undefined ? {} : { namespace: nameOf(space) }
  return { type: 'function_call', id: newId('fc'), call_id, name, ...namespace, arguments: JSON.stringify(args) }
}

function deltasOf(item: Json, output_index: number): Json[] {
  const place = { item_id: item.id, output_index }
  const [text] = recordList(item, 'content').map((part) => textField(part, 'text'))
  if (text !== undefined)
    return [
      { type: 'response.content_part.added', ...place, content_index: 0, part: { ...textPart, text: '' } },
      { type: 'response.output_text.delta', ...place, content_index: 0, delta: text },
      { type: 'response.output_text.done', ...place, content_index: 0, text },
      { type: 'response.content_part.done', ...place, content_index: 0, part: { ...textPart, text } },
    ]
  if (typeof item.input === 'string')
    return [
      { type: 'response.custom_tool_call_input.delta', ...place, delta: item.input },
      { type: 'response.custom_tool_call_input.done', ...place, input: item.input },
    ]
  if (typeof item.arguments !== 'string') return []
  return [
    { type: 'response.function_call_arguments.delta', ...place, delta: item.arguments },
    { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments },
  ]
}

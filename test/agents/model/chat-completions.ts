import { type Json, record, recordList, textField } from '../../../src/cli/client/json.ts'
import { type Dialect, eventStream, json, newId } from './dialect.ts'

/** OpenAI's chat completions: Copilot CLI and opencode. */
export const chatCompletions: Dialect = {
  takes: (path) => path.endsWith('/chat/completions'),
  tools: (request) =>
    recordList(request, 'tools').map(
      (tool) => textField(record(tool, 'function'), 'name') ?? textField(record(tool, 'custom'), 'name') ?? '',
    ),
  turns: (request) =>
    recordList(request, 'messages').filter(
      (message) => message.role === 'assistant' && recordList(message, 'tool_calls').length > 0,
    ).length,
  answer(request, { text, calls }) {
    const tool_calls = calls.map(({ name, args }, index) => ({
      ...{ index, id: newId('call'), type: 'function' },
      function: { name, arguments: JSON.stringify(args) },
    }))
    const base = { id: newId('chatcmpl'), created: 1_795_000_000, model: request.model }
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    const message = { role: 'assistant', content: text ?? null, ...(calls.length > 0 && { tool_calls }) }
    if (request.stream !== true)
      return json({ ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage })
    const chunk = (more: Json) => ({ ...base, object: 'chat.completion.chunk', ...more })
    const said = (delta: Json, reason: string | null = null) =>
      chunk({ choices: [{ index: 0, delta, finish_reason: reason }] })
    return eventStream([
      said({ role: 'assistant', content: text ?? '' }),
      ...tool_calls.map((one) => said({ tool_calls: [one] })),
      said({}, finish_reason),
      chunk({ choices: [], usage }),
      '[DONE]',
    ])
  },
}

import { type Dialect, eventStream, json, listOf, newId } from './dialect.ts'

/** Anthropic's Messages: Claude Code, Copilot CLI and opencode. */
export const messages: Dialect = {
  takes: (path) => path.endsWith('/messages'),
  tools: (request) => listOf(request, 'tools').length,
  turns: (request) =>
    listOf(request, 'messages').filter(
      (message) => message.role === 'assistant' && listOf(message, 'content').some(({ type }) => type === 'tool_use'),
    ).length,
  answer(request, call) {
    const block = call
      ? { type: 'tool_use', id: newId('toolu'), name: call.name, input: call.args }
      : { type: 'text', text: 'Done.' }
    const stop_reason = call ? 'tool_use' : 'end_turn'
    const usage = { input_tokens: 10, output_tokens: 1 }
    const message = { id: newId('msg'), type: 'message', role: 'assistant', model: request.model, usage }
    if (request.stream !== true) return json({ ...message, content: [block], stop_reason, stop_sequence: null })
    const delta = call
      ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) }
      : { type: 'text_delta', text: block.text }
    const begun = { ...block, ...(call ? { input: {} } : { text: '' }) }
    return eventStream([
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: begun },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } },
      { type: 'message_stop' },
    ])
  },
}

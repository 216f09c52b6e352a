import { type Dialect, eventStream, type Json, json, listOf, newId } from './dialect.ts'

/** Anthropic's Messages: Claude Code, Copilot CLI and opencode. */
export const messages: Dialect = {
  takes: (path) => path.endsWith('/messages'),
  tools: (request) => listOf(request, 'tools').length,
  turns: (request) =>
    listOf(request, 'messages').filter(
      (message) => message.role === 'assistant' && listOf(message, 'content').some(({ type }) => type === 'tool_use'),
    ).length,
  answer(request, { text, calls }) {
    const content: Json[] = [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ name, args }) => ({ type: 'tool_use', id: newId('toolu'), name, input: args })),
    ]
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
    const usage = { input_tokens: 10, output_tokens: 1 }
    const message = { id: newId('msg'), type: 'message', role: 'assistant', model: request.model, usage }
    if (request.stream !== true) return json({ ...message, content, stop_reason, stop_sequence: null })
    const blocks = content.flatMap((block, index) => {
      const isText = block.type === 'text'
      const delta = isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
      return [
        { type: 'content_block_start', index, content_block: { ...block, ...(isText ? { text: '' } : { input: {} }) } },
        { type: 'content_block_delta', index, delta },
        { type: 'content_block_stop', index },
      ]
    })
    return eventStream([
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } },
      { type: 'message_stop' },
    ])
  },
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { type Json, json, type ModelAnswer, type ScriptedCall } from './dialect.ts'
import { generateContent } from './generate-content.ts'
import { messages } from './messages.ts'
import { responses } from './responses.ts'

const dialects = [messages, responses, generateContent]

/**
 * Starts a model that plays a script, one call a turn, for any agent: after its last turn it says that it is done. `before` is
 * awaited before the answer of a turn, counted from 0. `requests` are those of the conversation: side requests have no tools.
 */
export async function startModel(
  script: readonly ScriptedCall[],
  before: (turn: number) => Promise<void> = async () => {},
) {
  const requests: Json[] = []
  const server = createServer(async (incoming, response) => {
    const body: Json = JSON.parse((await textOf(incoming)) || '{}')
    const { pathname } = new URL(incoming.url ?? '', 'http://model')
    const dialect = incoming.method === 'POST' ? dialects.find(({ takes }) => takes(pathname)) : undefined
    const send = (status: number, { type, body: said }: ModelAnswer) =>
      response.writeHead(status, { 'content-type': type }).end(said)
    if (!dialect) return send(...otherAnswer(pathname))
    if (dialect.tools(body) === 0) return send(200, dialect.answer(body, undefined, pathname))
    requests.push(body)
    const turn = dialect.turns(body)
    await before(turn)
    send(200, dialect.answer(body, script[turn], pathname))
  })
  // Codex tries a WebSocket first.
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function otherAnswer(path: string): [number, ModelAnswer] {
  if (/count_?tokens/i.test(path)) return [200, json({ input_tokens: 10, totalTokens: 10 })]
  if (!path.endsWith('/models')) return [404, json({ error: { type: 'not_found', message: 'None.' } })]
  return [200, json({ object: 'list', data: [{ id: 'scripted', object: 'model', created: 1, owned_by: 'test' }] })]
}

/** The texts of ours that a model reads in a request, without the descriptions of tools. */
export function toldIn({ tools: _, ...read }: Json): string[] {
  const texts: string[] = []
  JSON.stringify(read, (_key, value) => {
    if (typeof value === 'string' && value.includes('Headsup: ')) texts.push(value)
    return value
  })
  return texts
}

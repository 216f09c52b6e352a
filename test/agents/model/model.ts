import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asRecord, type Json, parseJson } from '../../../src/cli/client/json.ts'
import { chatCompletions } from './chat-completions.ts'
import { json, type ModelAnswer, type ScriptedCall, type Turn } from './dialect.ts'
import { generateContent } from './generate-content.ts'
import { messages } from './messages.ts'
import { responses } from './responses.ts'

const dialects = [messages, responses, chatCompletions, generateContent]

/** The calls of a turn, made after a delay. */
export interface ScriptedTurn {
  calls: readonly ScriptedCall[]
  delayMs?: number
}

/** A request of an agent for the next turn. */
export interface ModelRequest {
  /** In ms since 1970. */
  at: number
  /** How many turns with tools came before. */
  turn: number
  tools: readonly string[]
  body: Json
}

export interface ScriptedModel {
  url: string
  /** The requests of the conversation, in order: side requests, without tools, are left out. */
  requests: readonly ModelRequest[]
  stop(): Promise<void>
}

const nothingMore: Turn = { text: 'Done.', calls: [] }

/** Starts a model that plays a script, for any agent: after its last turn it says that it is done. */
export async function startModel(script: readonly ScriptedTurn[]): Promise<ScriptedModel> {
  const requests: ModelRequest[] = []
  const server = createServer(async (incoming, response) => {
    const at = Date.now()
    const body = asRecord(parseJson(await readText(incoming)))
    const { pathname } = new URL(incoming.url ?? '/', 'http://model')
    const dialect = incoming.method === 'POST' ? dialects.find(({ takes }) => takes(pathname)) : undefined
    if (!dialect) {
      const { status, answer } = otherAnswer(pathname)
      response.writeHead(status, { 'content-type': answer.type }).end(answer.body)
      return
    }
    const tools = dialect.tools(body)
    const turn = dialect.turns(body)
    const isAside = tools.length === 0
    if (!isAside) requests.push({ at, turn, tools, body })
    const step = isAside ? undefined : script[turn]
    if (step?.delayMs) await new Promise((resolve) => setTimeout(resolve, step.delayMs))
    const said = step ? { calls: step.calls.map((one) => ({ ...one, name: fullName(one.name, tools) })) } : nothingMore
    const answer = dialect.answer(body, isAside ? { text: 'ok', calls: [] } : said, pathname)
    response.writeHead(200, { 'content-type': answer.type }).end(answer.body)
  })
  // Codex tries a WebSocket first.
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function fullName(name: string, tools: readonly string[]): string {
  return tools.includes(name) ? name : (tools.find((tool) => tool.endsWith(name)) ?? name)
}

function otherAnswer(path: string): { status: number; answer: ModelAnswer } {
  if (/count_?tokens/i.test(path)) return { status: 200, answer: json({ input_tokens: 10, totalTokens: 10 }) }
  if (!path.endsWith('/models'))
    return { status: 404, answer: json({ error: { type: 'not_found', message: 'None.' } }) }
  const model = { id: 'scripted', object: 'model', created: 1, owned_by: 'test' }
  return { status: 200, answer: json({ object: 'list', data: [model] }) }
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** All texts of a request that a model reads, without the descriptions of tools. */
export function textsIn({ body }: ModelRequest): string[] {
  const { tools: _, ...read } = body
  const texts: string[] = []
  const walk = (value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) walk(one)
  }
  walk(read)
  return texts
}

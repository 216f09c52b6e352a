import {
  Client,
  type JsonSchemaType,
  type JsonSchemaValidator,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect } from 'vitest'
import { z } from 'zod'
import { getOrCreate } from '../../src/core/lib/maps.ts'

/** The SDK's client 1.x, which most programs have, and the two generations of the protocol that its client 2.x speaks. */
export type Era = '1.x' | 'legacy' | '2026-07-28'
export const eras: readonly Era[] = ['1.x', 'legacy', '2026-07-28']

interface ListedTool {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema: unknown
}

/** What both versions of the SDK's client have. */
interface SdkClient {
  listTools(): Promise<{ tools: ListedTool[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  getInstructions(): string | undefined
  getServerVersion(): unknown
  close(): Promise<void>
}

export interface Called {
  isError: boolean
  /** The joined text blocks. */
  text: string
  answer: unknown
}

export interface ModelClient {
  client: SdkClient
  call(tool: string, args: Record<string, unknown>): Promise<Called>
  /** Calls a tool and expects success. Returns the structured content without its introduction. */
  done<Answer>(tool: string, args: Record<string, unknown>): Promise<Answer>
  /** Calls a tool and expects an error. Returns its text. */
  refused(tool: string, args: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

/** The response of the operation, without the sentence that says whose words its texts are. */
function withoutIntroduction(answer: unknown): unknown {
  const { about_text: _, ...rest } = z.record(z.string(), z.unknown()).parse(answer)
  return rest
}

const Result = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

const clientInfo = { name: 'test', version: '1' }

const validators = new Map<string, JsonSchemaValidator<unknown>>()

/** Compiles each schema once for all clients, which is most of the work of a client. */
class SharedValidator extends AjvJsonSchemaValidator {
  override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const validator = getOrCreate(validators, JSON.stringify(schema), () => super.getValidator(schema))
    return validator as JsonSchemaValidator<T>
  }
}
const jsonSchemaValidator = new SharedValidator()

async function connect(address: string, token: string, era: Era): Promise<SdkClient> {
  const url = new URL('/mcp', address)
  const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } }
  if (era === '1.x') {
    const client = new OlderClient(clientInfo)
    await client.connect(new OlderTransport(url, options))
    return client
  }
  const versionNegotiation = { mode: era === 'legacy' ? ('legacy' as const) : { pin: era } }
  const client = new Client(clientInfo, { versionNegotiation, jsonSchemaValidator })
  await client.connect(new StreamableHTTPClientTransport(url, options))
  return client
}

/**
 * Connects the SDK's client in one generation. It lists the tools first, as a program does: from then on it refuses every
 * result that does not match the output schema of its tool.
 */
export async function connectModel(url: string, token: string, era: Era = 'legacy'): Promise<ModelClient> {
  const client = await connect(url, token, era)
  await client.listTools()
  const call: ModelClient['call'] = async (name, args) => {
    const { content, structuredContent, isError } = Result.parse(await client.callTool({ name, arguments: args }))
    return { isError: isError === true, text: content.map(({ text }) => text).join('\n'), answer: structuredContent }
  }
  return {
    client,
    call,
    async done<Answer>(name: string, args: Record<string, unknown>) {
      const { isError, text, answer } = await call(name, args)
      expect(isError, text).toBe(false)
      expect(JSON.parse(text)).toEqual(answer)
      return withoutIntroduction(answer) as Answer
    },
    async refused(name, args) {
      const { isError, text, answer } = await call(name, args)
      expect(isError, text).toBe(true)
      expect(answer).toBeUndefined()
      return text
    },
    close: () => client.close(),
  }
}

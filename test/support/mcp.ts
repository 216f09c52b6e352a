import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { z } from 'zod'

export type Era = 'legacy' | '2026-07-28'
export const eras: readonly Era[] = ['legacy', '2026-07-28']

export interface Called {
  isError: boolean
  /** The joined text blocks. */
  text: string
  answer: unknown
}

export interface ModelClient {
  client: Client
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

/** Connects the SDK's client in one version of the protocol. */
export async function connectModel(url: string, token: string, era: Era = 'legacy'): Promise<ModelClient> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
  )
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
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

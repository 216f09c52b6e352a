/** What an agent sends to its hook. Each field may be absent: agents change, and a hook must not fail. */
export type Payload = Readonly<Record<string, unknown>>

const mostBytes = 32 * 1024 * 1024

/**
 * The payload, as soon as it is one whole JSON object: some agents keep their end open. Undefined where the input ends before that,
 * or is too much.
 */
export async function readPayload(input: AsyncIterable<Buffer | string>): Promise<Payload | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
    if (bytes > mostBytes) return undefined
    // Only then it can be whole.
    if (!/\}\s*$/.test(String(chunk))) continue
    const payload = parse(Buffer.concat(chunks).toString())
    if (payload) return payload
  }
  return parse(Buffer.concat(chunks).toString())
}

function parse(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

export function stringIn(payload: Payload, key: string): string | undefined {
  const value = payload[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

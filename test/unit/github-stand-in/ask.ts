export interface Told {
  status: number
  headers: Headers
  body: unknown
}

export interface Asked {
  method?: string
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}

/** Asks the stand-in over HTTP, and follows no redirect. */
export async function ask(url: string, { method = 'GET', token, body, headers = {} }: Asked = {}): Promise<Told> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && !/raw/.test(headers.accept ?? '')
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
}

export interface TestResponse {
  status: number
  headers: Headers
  body: unknown
}

export interface TestRequest {
  method?: string
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}

/** Sends a request to the stand-in. Does not follow redirects. */
export async function sendRequest(
  url: string,
  { method = 'GET', token, body, headers = {} }: TestRequest = {},
): Promise<TestResponse> {
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

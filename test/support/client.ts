import { z } from 'zod'
import { checkDocumented } from './documented.ts'

export interface ApiResponse {
  status: number
  headers: Headers
  /** The JSON of the body; undefined without a body. */
  body: unknown
}

export interface ApiRequest {
  method?: string
  token?: string | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged. */
  raw?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

/** Sends a request as a caller of the API. Throws if the response does not match the OpenAPI document. */
export async function call(url: string, sent: ApiRequest = {}): Promise<ApiResponse> {
  return checkDocumented(url, sent, await send(url, sent))
}

async function send(url: string, { method = 'GET', token, body, raw, headers = {} }: ApiRequest): Promise<ApiResponse> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    redirect: 'manual',
    ...(sent === undefined ? {} : { body: sent }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

const ErrorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string().min(1),
    details: z.array(z.object({ field: z.string(), code: z.string(), message: z.string().min(1) })).optional(),
    allowed: z.array(z.string()).optional(),
    documentation_url: z.string(),
    request_id: z.string(),
  }),
})

/** The status, code and invalid fields of an error response. */
export function refusal({ status, body }: ApiResponse) {
  const { code, details } = ErrorBody.parse(body).error
  return { status, code, ...(details ? { details: details.map(({ field, code }) => `${field} ${code}`) } : {}) }
}

/** The error of an error response. */
export function errorOf({ body }: ApiResponse) {
  return ErrorBody.parse(body).error
}

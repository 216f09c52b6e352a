import type { SendRequest } from './read-response.ts'

const unchanged = Symbol('unchanged')

/**
 * Reads something whose first request is conditional. `read` is null where GitHub says that nothing has changed since it sent
 * this ETag. GitHub binds ETags to the token, and that of an installation lasts an hour.
 */
export async function ifChanged<Read>(
  request: SendRequest,
  etag: string | null,
  read: (request: SendRequest) => Promise<Read>,
): Promise<{ read: Read | null; etag: string | null }> {
  let next: string | null = null
  let isFirst = true
  const conditional: SendRequest = async (wanted) => {
    if (!isFirst) return request(wanted)
    isFirst = false
    const response = await request({ ...wanted, etag })
    if (response.kind === 'response' && response.status === 304 && etag !== null) throw unchanged
    next = response.kind === 'response' ? (response.headers.etag ?? null) : null
    return response
  }
  try {
    return { read: await read(conditional), etag: next }
  } catch (error) {
    if (error === unchanged) return { read: null, etag }
    throw error
  }
}

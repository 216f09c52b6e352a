import { request } from 'node:http'

export interface Answered {
  status: number | undefined
  location: string | undefined
  cookies: string[]
}

/** A request with a `Host` of its own, which `fetch` does not set. It ends without its body. */
export function sendAsHost(url: string, method: string, headers: Record<string, string>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      response.resume()
      const { statusCode: status, headers } = response
      resolve({ status, location: headers.location, cookies: headers['set-cookie'] ?? [] })
    })
    asked.once('error', reject).end()
  })
}

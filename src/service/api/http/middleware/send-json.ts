import type { Response } from 'express'

/** Sends a body as JSON that ends with a line break, for terminals (docs/rules.md#response-headers). */
export function sendJson(response: Response, body: unknown): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  const text = `${JSON.stringify(body)}\n`
  // Express hashes the whole text for an ETag, which only reads need.
  if (response.req.method === 'GET' || response.req.method === 'HEAD') response.send(text)
  else response.end(text)
}

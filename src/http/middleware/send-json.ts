import type { Response } from 'express'

/** Sends a body as JSON that ends with a line break, for terminals (docs/rules.md#response-headers). */
export function sendJson(response: Response, body: unknown): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.send(`${JSON.stringify(body)}\n`)
}

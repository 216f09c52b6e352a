import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormatsModule from 'ajv-formats'
import { z } from 'zod'

const Described = z.object({
  responses: z.record(z.string(), z.record(z.string(), z.unknown())),
  events: z.record(z.string(), z.record(z.string(), z.unknown())),
  $defs: z.record(z.string(), z.unknown()),
})

const file = new URL('../../fixtures/github/schemas.json', import.meta.url)
const described = Described.parse(JSON.parse(readFileSync(file, 'utf8')))
const compiled = new Map<string, ValidateFunction>()

// Not strict: the description is GitHub's, and strictness is about how a schema is written.
// Nor inlined or optimized: every test file compiles it anew, and checks little with it.
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  validateFormats: true,
  inlineRefs: false,
  code: { optimize: false },
})
// A CommonJS module, whose default export is the plugin.
const addFormats = addFormatsModule.default
addFormats(ajv)
ajv.addSchema({ ...described, $id: 'github' })

/** Which responses GitHub's description is kept of: `GET /repos/{owner}/{repo} 200`. */
export const describedResponses: readonly string[] = Object.keys(described.responses)
/** Which events: `pull-request-closed`. */
export const describedEvents: readonly string[] = Object.keys(described.events)

/** Where a body differs from what GitHub says of this response; empty where it does not. */
export function responseFaults(name: string, body: unknown): string[] {
  return faults('responses', name, body)
}

/** Where a payload differs from what GitHub says of this event; empty where it does not. */
export function eventFaults(name: string, payload: unknown): string[] {
  return faults('events', name, payload)
}

function faults(kind: 'responses' | 'events', name: string, data: unknown): string[] {
  if (described[kind][name] === undefined) throw new Error(`no description is kept of ${name}`)
  const pointer = `${kind}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `github#/${pointer}` })
  compiled.set(pointer, validate)
  // As it arrives: what is undefined is not sent.
  if (validate(JSON.parse(JSON.stringify(data)))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

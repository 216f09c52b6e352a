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

// Not strict: the schemas are GitHub's.
// Not inlined or optimized: every test file compiles them, and validates little.
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

/** The responses with a description, such as `GET /repos/{owner}/{repo} 200`. */
export const describedResponses: readonly string[] = Object.keys(described.responses)
/** The events with a description, such as `pull-request-closed`. */
export const describedEvents: readonly string[] = Object.keys(described.events)

/** The differences between a body and GitHub's description of this response. */
export function responseFaults(name: string, body: unknown): string[] {
  return faults('responses', name, body)
}

/** The differences between a payload and GitHub's description of this event. */
export function eventFaults(name: string, payload: unknown): string[] {
  return faults('events', name, payload)
}

function faults(kind: 'responses' | 'events', name: string, data: unknown): string[] {
  if (described[kind][name] === undefined) throw new Error(`there is no description of ${name}`)
  const pointer = `${kind}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `github#/${pointer}` })
  compiled.set(pointer, validate)
  // As JSON: undefined fields are not sent.
  if (validate(JSON.parse(JSON.stringify(data)))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

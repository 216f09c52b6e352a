import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, unknown> }> }>>
}

const documents = new Map<string, Promise<ReturnType<typeof compiled>>>()

/** Throws where an answer is not as the OpenAPI document of the service at `url` says, a field that it does not name included. */
export async function expectDocumented(url: string, method: string, path: string, status: number, body: unknown) {
  const document = documents.get(url) ?? fetchDocument(url)
  documents.set(url, document)
  const faults = (await document)(method, path, status, body)
  if (faults !== null) throw new Error(`${method} ${path} ${status} is not as documented: ${faults}`)
}

async function fetchDocument(url: string) {
  const response = await fetch(`${url}/api/v1/openapi.json`)
  return compiled((await response.json()) as Document)
}

function compiled(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(closed(document) as Document, 'api')
  const checks = new Map<string, ValidateFunction>()
  const check = (pointer: string) => {
    const found = checks.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
    checks.set(pointer, found)
    return found
  }
  /** `path` is below the repository. Null: it is as documented. */
  return (method: string, path: string, status: number, body: unknown): string | null => {
    const template = Object.keys(document.paths).find((one) => matches(one, path))
    const operation = document.paths[template ?? '']?.[method.toLowerCase()]
    let pointer = '/components/schemas/Error'
    if (status < 400) {
      if (!operation?.responses[status]) return 'it is no documented operation and status'
      const escaped = template?.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
      pointer = `/paths/${escaped}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
    }
    const validate = check(pointer)
    return validate(body) ? null : ajv.errorsText(validate.errors)
  }
}

function matches(template: string, path: string): boolean {
  const below = template.replace('/repos/{owner}/{repo}', '').replaceAll(/\{\w+\}/g, '[^/?]+')
  return new RegExp(`^${below}(?:\\?.*)?$`).test(path)
}

/** The schemas without room for further fields. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!(schema instanceof Object)) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isOpenObject = copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy)
  return isOpenObject ? { ...copy, additionalProperties: false } : copy
}

import { errorCodes } from '../../../core/errors.ts'
import { type ApiDocument, type DescribedOperation, operationsOf, type Schema } from './document.ts'
import { type Html, html, phrase } from './html.ts'
import { fileAddress, pageDocument } from './shell.ts'

interface Field {
  name: string
  schema: Schema
  isRequired: boolean
}

/** The API for people: all on one page, so that a browser's search finds everything. */
export function docsPage(document: ApiDocument): string {
  const operations = operationsOf(document)
  const [question = ''] = document.info.description.split('\n\n')
  const schemas = Object.entries(document.components.schemas)
  const body = html`<header class="top row">
<a class="brand" href="/"><img src="${fileAddress('icon.svg')}" alt="" width="24" height="24">Headsup</a>
<span class="muted">API ${document.info.version}</span>
<nav class="row end"><a href="/llms.txt">llms.txt</a> <a href="/api/v1/openapi.json">openapi.json</a></nav></header>
<main class="docs stack">
<h1>The API</h1>
<p>${question} JSON in and out, below <code>/api/v1</code>, with your own GitHub token:
<code>Authorization: Bearer …</code></p>
<nav aria-label="Operations"><ul class="contents">${operations.map(contentsLine)}
<li><a href="#errors">Errors</a></li></ul></nav>
${operations.map(section)}
<section class="panel pad stack" id="errors"><h2>Errors</h2>
<p>An error is <code>{"error": {"code", "message", "details", "allowed", "request_id"}}</code>. Branch on its code.</p>
<dl>${Object.entries(errorCodes).map(errorRow)}</dl></section>
${schemas.map(([name, schema]) => schemaSection(name, schema))}
</main>`
  return pageDocument('The API of Headsup', body)
}

function contentsLine({ operationId, method, path, summary }: DescribedOperation): Html {
  const short = path.replace('/repos/{owner}/{repo}', '')
  return html`<li><a href="#${operationId}">${summary}</a> <code class="muted">${method} …${short}</code></li>`
}

function section({ operationId, method, path, summary, parameters, requestBody, responses }: DescribedOperation): Html {
  const asked = parameters.filter((one) => one.in !== 'path')
  const inQuery = asked.map(({ name, required, schema }) => ({ name, schema, isRequired: required === true }))
  const body = requestBody?.content['application/json']?.schema
  const [[status = '', answer] = []] = Object.entries(responses)
  const [type = '', shown] = Object.entries(answer?.content ?? {})[0] ?? []
  const form = type === 'text/event-stream' ? ', as server-sent events' : ''
  return html`<section class="panel pad stack" id="${operationId}"><h2><a href="#${operationId}">${summary}</a></h2>
<p><span class="chip accent">${method}</span> <code>/api/v1${path}</code></p>
${list('Parameters and headers', operationId, inQuery)}
${body ? list('Body', operationId, fieldsOf(body)) : ''}
<p>Answers ${status} with ${shown ? typeOf(shown.schema) : 'nothing'}${form}, or <a href="#errors">an error</a>.</p>
</section>`
}

function schemaSection(name: string, schema: Schema): Html {
  const fields = fieldsOf(schema).map((field) => ({ ...field, isRequired: false }))
  const id = `schema-${name}`
  return html`<section class="panel pad stack" id="${id}"><h2><a href="#${id}">${name}</a></h2>
${schema.description ? html`<p>${phrase(schema.description)}</p>` : ''}${schema.anyOf ? html`<p>${typeOf(schema)}</p>` : ''}
${list('Fields', id, fields)}</section>`
}

/** Also the fields of the objects inside, named by their path. */
function fieldsOf(schema: Schema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const name = `${prefix}${key}`
    const inside = [value, ...(value.anyOf ?? [])].map((one) => one.items ?? one).find((one) => one.properties)
    const below = inside ? fieldsOf(inside, `${name}.`) : []
    return [{ name, schema: value, isRequired: schema.required?.includes(key) === true }, ...below]
  })
}

function list(heading: string, section: string, fields: readonly Field[]): Html {
  if (fields.length === 0) return html``
  const row = ({ name, schema, isRequired }: Field) => html`
<div id="${section}.${name}"><dt><code>${name}</code>
<span class="muted">${typeOf(schema)}${isRequired ? ', required' : ''}</span></dt>
<dd>${phrase(wholeOf(schema).description ?? '')} ${limitsOf(schema)}</dd></div>`
  return html`<h3>${heading}</h3><dl>${fields.map(row)}</dl>`
}

function errorRow([code, [status, meaning]]: [string, readonly [number, string]]): Html {
  return html`
<div id="error-${code}"><dt><code>${code}</code> <span class="muted">${status}</span></dt>
<dd>${phrase(meaning)}</dd></div>`
}

/** `string or null`, `array of integer`, the words of an enumeration, or a link. */
function typeOf(schema: Schema): Html {
  const { $ref, anyOf, type, items, format } = schema
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (schema.enum) return joined(schema.enum.map((word) => html`<code>${String(word)}</code>`))
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (anyOf) return joined(anyOf.map(typeOf))
  const words = [type ?? 'any'].flat().map((one) => {
    if (one === 'array') return items ? html`list of ${typeOf(items)}` : html`list`
    return one === 'string' && format === 'date-time' ? html`timestamp` : html`${one}`
  })
  return joined(words)
}

function joined(parts: readonly Html[]): Html {
  const between = (index: number) => (index === 0 ? '' : index === parts.length - 1 ? ' or ' : ', ')
  return html`${parts.map((part, index) => [between(index), part])}`
}

/** Larger than this is no limit that somebody meets. */
const mostInteger = 2_147_483_647

/** Of what may be null too, with the description and the limits of the rest. */
function wholeOf(schema: Schema): Schema {
  return { ...schema.anyOf?.[0], ...schema }
}

function limitsOf(schema: Schema): string {
  const { maxLength, maxItems, maximum, default: fallback } = wholeOf(schema)
  return [
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    maxItems === undefined ? '' : `At most ${maxItems}.`,
    maximum === undefined || maximum >= mostInteger ? '' : `At most ${maximum}.`,
    fallback === undefined ? '' : `Default: ${JSON.stringify(fallback)}.`,
  ]
    .filter((text) => text !== '')
    .join(' ')
}

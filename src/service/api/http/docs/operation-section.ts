import type { Operation } from '../../operations/define.ts'
import { errorStatus } from '../middleware/error-handler.ts'
import { documentPath, errorsOf, hasEtag } from '../openapi/operation-object.ts'
import { parameterComponents } from '../openapi/parameters.ts'
import { fieldsOf, referTo } from '../openapi/schemas.ts'
import type { JsonSchema } from '../openapi/tidy-schema.ts'
import { fieldList, fieldRow, fieldRows } from './fields.ts'
import { type Html, heading, html, markdown, phrase } from './html.ts'

export type Schemas = Record<string, JsonSchema>

const refName = ({ $ref }: { $ref: string }) => $ref.slice($ref.lastIndexOf('/') + 1)

function parameters(route: Operation): Html {
  const { IdempotencyKey, IfNoneMatch, LastEventId } = parameterComponents
  const headers = [
    ...(route.takesIdempotencyKey ? [IdempotencyKey] : []),
    ...(route.isStream ? [LastEventId] : []),
    ...(hasEtag(route) ? [IfNoneMatch] : []),
  ]
  const rows = [
    ...fieldsOf(route.query).map(([name, schema]) => fieldRow(name, schema, false)),
    ...headers.map(({ name, description }) => {
      return { name, required: false, type: html`header`, notes: phrase(description) }
    }),
  ]
  return rows.length === 0 ? html`` : fieldList('Parameters and headers', route.operationId, rows, false)
}

function body(route: Operation, schemas: Schemas): Html {
  if (route.method === 'get') return html``
  if (fieldsOf(route.body).length === 0) return html`<p>No body.</p>`
  const name = refName(referTo(route.body, 'request'))
  const optional = route.bodyOptional ? html` It is optional.` : ''
  const schema = schemas[name]
  const fields = schema ? fieldList('Body', route.operationId, fieldRows(schema), true) : ''
  return html`${fields}<p>Schema of the body: <code>${name}</code>.${optional}</p>`
}

function responses(route: Operation): Html {
  const codes = errorsOf(route).map((code) => ({ code, status: errorStatus(code) }))
  const item = ({ code, status }: (typeof codes)[number]) =>
    html`<li>${status} <a href="#error-${code}"><code>${code}</code></a></li>`
  return html`
<h4>Response</h4>
<p>${route.success} with ${answer(route)}.</p>
<details><summary>${codes.length} errors</summary><ul class="codes">${codes.sort((a, b) => a.status - b.status).map(item)}</ul></details>`
}

function answer({ answer, answerByQuery, isStream }: Operation): Html {
  if (isStream) return html`server-sent events`
  const link = (schema: Operation['answer']) => {
    const name = refName(referTo(schema, 'response'))
    return html`<a href="#schema-${name}">${name}</a>`
  }
  return answerByQuery ? html`${link(answer)}, or with ${link(answerByQuery)}` : link(answer)
}

/** The method of an operation, such as `GET`. */
export function methodOf({ method }: Operation): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`
}

export function operationSection(route: Operation, schemas: Schemas): Html {
  return html`
<section>
${heading(route.operationId, html`${route.summary}`)}
<p class="call">${methodOf(route)} <code>${documentPath(route.path)}</code></p>
${markdown(route.description)}
<p>Needs ${route.access} access to the repository.</p>
${parameters(route)}${body(route, schemas)}${responses(route)}
</section>`
}

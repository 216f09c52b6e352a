import type { Operation } from '../../operations/define.ts'
import { errorStatus } from '../middleware/error-handler.ts'
import { documentPath, errorsOf } from '../openapi/operation.ts'
import { parameterComponents } from '../openapi/parameters.ts'
import { fieldsOf, referTo } from '../openapi/schemas.ts'
import type { JsonSchema } from '../openapi/tidy-schema.ts'
import { fieldRow, fieldRows, table } from './fields.ts'
import { type Html, html, markdown, phrase } from './html.ts'

export type Schemas = Record<string, JsonSchema>

const refName = ({ $ref }: { $ref: string }) => $ref.slice($ref.lastIndexOf('/') + 1)

function parameters(route: Operation): Html {
  const { IdempotencyKey: key, IfNoneMatch: etag } = parameterComponents
  const rows = [
    ...fieldsOf(route.query).map(([name, schema]) => fieldRow(name, schema, false)),
    ...(route.takesIdempotencyKey
      ? [{ ...key, required: false, type: html`header`, notes: phrase(key.description) }]
      : []),
    ...(route.method === 'get'
      ? [{ ...etag, required: false, type: html`header`, notes: phrase(etag.description) }]
      : []),
  ]
  return rows.length === 0 ? html`` : table(`Parameters and headers: ${route.summary}`, rows, false)
}

function body(route: Operation, schemas: Schemas): Html {
  if (route.method === 'get') return html``
  if (fieldsOf(route.body).length === 0) return html`<p>No body.</p>`
  const name = refName(referTo(route.body, 'request'))
  const optional = route.bodyOptional ? html` It is optional.` : ''
  const schema = schemas[name]
  return html`${schema ? table(`Fields of the body: ${route.summary}`, fieldRows(schema), true) : ''}<p>${optional} Schema: <code>${name}</code>.</p>`
}

function responses(route: Operation): Html {
  const codes = errorsOf(route).map((code) => ({ code, status: errorStatus(code) }))
  const line = ({ code, status }: (typeof codes)[number]) =>
    html`<li>${status} <a href="#error-${code}"><code>${code}</code></a></li>`
  return html`
<p>Returns ${route.success} with ${answer(route)}.</p>
<details><summary>Errors</summary><ul>${codes.sort((a, b) => a.status - b.status).map(line)}</ul></details>`
}

function answer({ answer, answerByQuery, isStream }: Operation): Html {
  if (isStream) return html`server-sent events`
  const link = (schema: Operation['answer']) => {
    const name = refName(referTo(schema, 'response'))
    return html`<a href="#schema-${name}">${name}</a>`
  }
  return answerByQuery ? html`${link(answer)}, or with ${link(answerByQuery)}` : link(answer)
}

export function operationSection(route: Operation, schemas: Schemas): Html {
  return html`
<section>
<h3 id="${route.operationId}">${route.summary}</h3>
<p class="call"><code><strong>${route.method.toUpperCase()}</strong> ${documentPath(route.path)}</code></p>
${markdown(route.description)}
<p>Needs ${route.access} access to the repository.</p>
${parameters(route)}${body(route, schemas)}${responses(route)}
</section>`
}

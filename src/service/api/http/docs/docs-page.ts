import { errorCodes, pageErrorCodes } from '../../../../core/errors.ts'
import { errorStatus } from '../middleware/error-handler.ts'
import { description } from '../openapi/document.ts'
import { errorGuides } from '../openapi/error-guides.ts'
import { schemaComponents } from '../openapi/schemas.ts'
import { contents } from './contents.ts'
import { examples } from './examples.ts'
import { fieldList, fieldRows, typeOf } from './fields.ts'
import { type Html, heading, html, markdown, phrase } from './html.ts'
import { operationGroups } from './operation-groups.ts'
import { operationSection, type Schemas } from './operation-section.ts'

function errorSection(code: keyof typeof errorGuides): Html {
  const { meaning, remedy } = errorGuides[code]
  return html`
<section>${heading(`error-${code}`, html`<code>${code}</code>`, html`<span class="status">${errorStatus(code)}</span>`)}
<p>${phrase(meaning)}</p>
<p><strong>What to do:</strong> ${phrase(remedy)}</p></section>`
}

function schemaSection([name, schema]: [string, Schemas[string]]): Html {
  const rows = fieldRows(schema)
  const id = `schema-${name}`
  const about = schema.description ? html`<p>${phrase(schema.description)}</p>` : ''
  return html`
<section>${heading(id, html`${name}`)}
${about}${rows.length > 0 ? fieldList('Fields', id, rows, false) : html`<p>${typeOf(schema)}</p>`}</section>`
}

function operations(schemas: Schemas): Html {
  return html`${operationGroups().map(
    ({ id, name, description, operations }) => html`
<h2 id="${id}">${name}</h2>
<p>${phrase(description)}</p>${operations.map((route) => operationSection(route, schemas))}`,
  )}`
}

const fiveCalls = html`
<h2 id="start">Five calls</h2>
<p>Every path begins with <code>/api/v1</code>, and every call sends your own GitHub token.</p>
<ol class="calls">${examples.map(
  ({ title, shell }) => html`
<li><p>${phrase(title)}</p><pre><code>${shell}</code></pre></li>`,
)}</ol>`

/** The page /docs: the content of the OpenAPI document for people, in one page without a script. */
export function docsPage(): string {
  const schemas = schemaComponents()
  const all = JSON.stringify(schemas)
  // A body is shown with its operation, unless another schema links to it.
  const isShown = (name: string) => !/(Create|Update|Check)$/.test(name) || all.includes(`/schemas/${name}"`)
  const responses = Object.entries(schemas).filter(([name]) => isShown(name))
  return html`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Headsup API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/-/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css"></head>
<body>
<header>
<a class="brand" href="/">Headsup</a>
<a class="jump" href="#contents">Contents</a>
<ul><li><a href="/api/v1/openapi.json">OpenAPI</a></li><li><a href="/llms.txt">llms.txt</a></li></ul>
</header>
<main>
<h1>Headsup API</h1>
${markdown(description)}${fiveCalls}${operations(schemas)}
<h2 id="schemas">Schemas</h2>
<p>What the responses consist of.</p>${responses.map(schemaSection)}
<h2 id="errors">Errors</h2>
<p>Branch on <code>error.code</code>; <code>error.details</code> names each invalid field.</p>${errorCodes.map(errorSection)}
<h3>Errors of signing in</h3>
<p>Only the page's own paths below <code>/-/</code> return these.</p>${pageErrorCodes.map(errorSection)}
</main>
${contents(responses.map(([name]) => name))}
</body>
</html>
`.markup
}

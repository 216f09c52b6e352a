import { errorCodes, pageErrorCodes } from '../../errors.ts'
import { errorStatus } from '../middleware/error-handler.ts'
import { description } from '../openapi/document.ts'
import { errorGuides } from '../openapi/errors.ts'
import { schemaComponents } from '../openapi/schemas.ts'
import { allOperations } from '../routes/api.ts'
import { examples } from './examples.ts'
import { fieldRows, table, typeOf } from './fields.ts'
import { type Html, html, markdown, phrase } from './html.ts'
import { operationSection, type Schemas } from './operations.ts'

function errorSection(code: keyof typeof errorGuides): Html {
  const { meaning, remedy } = errorGuides[code]
  return html`
<section><h3 id="error-${code}"><code>${code}</code> (${errorStatus(code)})</h3>
<p>${phrase(meaning)}</p>
<p><strong>What to do:</strong> ${phrase(remedy)}</p></section>`
}

function schemaSection([name, schema]: [string, Schemas[string]]): Html {
  const rows = fieldRows(schema)
  const about = schema.description ? html`<p>${phrase(schema.description)}</p>` : ''
  return html`
<section><h3 id="schema-${name}">${name}</h3>
${about}${rows.length > 0 ? table(`Fields of ${name}`, rows, false) : html`<p>${typeOf(schema)}</p>`}</section>`
}

function navigation(): Html {
  const operation = ({ operationId, summary }: (typeof allOperations)[number]) =>
    html`<li><a href="#${operationId}">${summary}</a></li>`
  return html`
<nav aria-label="Contents"><ul>
<li><a href="#start">Five calls</a></li>${allOperations.map(operation)}
<li><a href="#schemas">Responses</a></li><li><a href="#errors">Errors</a></li>
<li><a href="/api/v1/openapi.json">OpenAPI document</a></li><li><a href="/llms.txt">For agents: llms.txt</a></li>
</ul></nav>`
}

/** The page /docs: the content of the OpenAPI document for people, in one page without scripts. */
export function docsPage(): string {
  const schemas = schemaComponents()
  const responses = Object.entries(schemas).filter(([name]) => !/(Create|Update|Check)$/.test(name))
  return html`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Headsup API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/style.css"></head>
<body>
<a class="skip" href="#main">Skip to the contents</a>
<header><h1>Headsup API</h1></header>
${navigation()}
<main id="main">
${markdown(description)}
<h2 id="start">Five calls</h2>
<p>Every path begins with <code>/api/v1</code>, and every call sends your own GitHub token.</p>
${examples.map(({ title, shell }) => html`<p>${phrase(title)}</p><pre tabindex="0">${shell}</pre>`)}
<h2 id="operations">Operations</h2>${allOperations.map((route) => operationSection(route, schemas))}
<h2 id="schemas">Responses</h2>${responses.map(schemaSection)}
<h2 id="errors">Errors</h2>
<p>Branch on <code>error.code</code>; <code>error.details</code> names each invalid field.</p>${errorCodes.map(errorSection)}
<h3>Errors of signing in</h3>
<p>Only the page's own paths below <code>/-/</code> return these.</p>${pageErrorCodes.map(errorSection)}
</main>
</body>
</html>
`.markup
}

import { errorCodes, pageErrorCodes } from '../../../../core/errors.ts'
import { type Html, html } from './html.ts'
import { operationGroups } from './operation-groups.ts'
import { methodOf } from './operation-section.ts'

function group({ name, id, operations }: ReturnType<typeof operationGroups>[number]): Html {
  const item = (route: (typeof operations)[number]) =>
    html`<li><a href="#${route.operationId}"><span>${route.summary}</span> ${methodOf(route)}</a></li>`
  return html`
<li><a href="#${id}">${name}</a><ul>${operations.map(item)}</ul></li>`
}

function folded(name: string, ids: string[], prefix: string): Html {
  return html`
<li><details><summary>${name}</summary><ul>${ids.map((id) => html`<li><a href="#${prefix}${id}"><code>${id}</code></a></li>`)}</ul></details></li>`
}

/** The list of contents: beside the text on wide screens, below it on narrow ones. */
export function contents(schemaNames: string[]): Html {
  return html`
<nav id="contents" aria-label="Contents">
<ul class="list">
<li><a href="#start">Five calls</a></li>${operationGroups().map(group)}
<li><a href="#schemas">Schemas</a>
<ul>${folded('All schemas', schemaNames, 'schema-')}</ul></li>
<li><a href="#errors">Errors</a>
<ul>${folded('All errors', [...errorCodes, ...pageErrorCodes], 'error-')}</ul></li>
</ul>
</nav>`
}

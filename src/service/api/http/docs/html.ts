/** HTML that is safe to insert. Only `html` creates it. */
export interface Html {
  readonly markup: string
}

type Part = string | number | Html | readonly Part[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(part: Part): string {
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(escaped).join('')
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Creates HTML from a template. Every value is escaped, except `Html`. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: String.raw({ raw: texts }, ...parts.map(escaped)) }
}

/** Formats `code` and **strong** in a line, and no other Markdown. */
function inline(text: string): Html[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : html`${part}`
  })
}

/** Formats the Markdown that the descriptions use: paragraphs, lists, `code` and **strong**. */
export function markdown(text: string): Html {
  const blocks = text.split('\n\n').map((block) => {
    const lines = block.split('\n')
    if (!lines.every((line) => line.startsWith('- '))) return html`<p>${inline(lines.join(' '))}</p>`
    return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`
  })
  return html`${blocks}`
}

/** Formats one line of Markdown, without a paragraph around it. */
export function phrase(text: string): Html {
  return html`${inline(text)}`
}

/** A heading of a section that links to itself, so that its address can be copied. */
export function heading(id: string, name: Html, more: Html = html``): Html {
  return html`<h3 id="${id}"><a href="#${id}"><span class="name">${name}</span></a> ${more}</h3>`
}

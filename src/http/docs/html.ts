/** Text that is HTML already; `html` alone makes it. */
export interface Html {
  readonly markup: string
}

type Part = string | number | Html | readonly Part[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(part: Part): string {
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(escaped).join('')
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** HTML out of a template; every value in it is escaped, but for what is HTML already. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: String.raw({ raw: texts }, ...parts.map(escaped)) }
}

/** `code`, **strong** and nothing else, within one line. */
function inline(text: string): Html[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : html`${part}`
  })
}

/** The little Markdown that the descriptions use: paragraphs, lists, and what is in a line. */
export function markdown(text: string): Html {
  const blocks = text.split('\n\n').map((block) => {
    const lines = block.split('\n')
    if (!lines.every((line) => line.startsWith('- '))) return html`<p>${inline(lines.join(' '))}</p>`
    return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`
  })
  return html`${blocks}`
}

/** The same, where there is room for a line alone. */
export function phrase(text: string): Html {
  return html`${inline(text)}`
}

/** HTML that is safe to insert. Only `html` makes it. */
export interface Html {
  readonly markup: string
}

type Part = string | number | Html | readonly Part[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(part: Part): string {
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(escaped).join('')
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Every value of the template is escaped, except `Html`. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: String.raw({ raw: texts }, ...parts.map(escaped)) }
}

export function phrase(text: string): Html {
  const parts = text.split(/(`[^`]+`)/)
  return html`${parts.map((part) => (part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : part))}`
}

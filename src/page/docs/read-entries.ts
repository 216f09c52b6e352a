import type { Entry } from '../model/search-docs.ts'

const textOf = (element: Element | null | undefined) => element?.textContent?.trim() ?? ''

function kindOf(heading: Element): Entry['kind'] {
  if (heading.id.startsWith('error-')) return 'Error'
  if (heading.id.startsWith('schema-')) return 'Schema'
  return heading.localName === 'h2' ? 'Section' : 'Operation'
}

function headingEntry(heading: Element): Entry {
  const section = heading.localName === 'h3' ? heading.parentElement : null
  const paragraphs = [...(section?.querySelectorAll(':scope > p') ?? [])]
  return {
    name: textOf(heading.querySelector('.name') ?? heading),
    kind: kindOf(heading),
    place: textOf(section?.querySelector(':scope > .call')).replace('/repos/{owner}/{repo}', '…'),
    text: `${heading.id} ${paragraphs.map(textOf).join(' ')}`,
    href: `#${heading.id}`,
  }
}

function fieldEntry(field: Element): Entry {
  return {
    name: textOf(field.querySelector('dt code')),
    kind: 'Field',
    place: textOf(field.closest('section')?.querySelector('h3 .name')),
    text: textOf(field.querySelector('dd')),
    href: `#${field.id}`,
  }
}

/** The searchable entries of the reference: sections, operations, fields, schemas and errors. */
export function readEntries(main: Element): Entry[] {
  return [
    ...[...main.querySelectorAll('h2[id], h3[id]')].map(headingEntry),
    ...[...main.querySelectorAll('.field')].map(fieldEntry),
  ]
}

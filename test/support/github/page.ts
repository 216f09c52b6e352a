import type { Call } from './route.ts'

/** Returns one page of the items by `per_page` and `page`, with GitHub's `Link` header. */
export function pageOf<Item>(
  { url, links }: Call,
  items: readonly Item[],
): { items: Item[]; headers: Record<string, string> } {
  const size = pageSize(url)
  const page = Math.max(1, wholeNumber(url, 'page') ?? 1)
  const last = Math.max(1, Math.ceil(items.length / size))
  const link = (to: number, rel: string) => {
    const target = new URL(url.pathname + url.search, links.api)
    target.searchParams.set('page', String(to))
    return `<${target.href}>; rel="${rel}"`
  }
  const relations = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ]
  return {
    items: items.slice((page - 1) * size, page * size),
    headers: relations.length === 0 ? {} : { link: relations.join(', ') },
  }
}

/** 30 by default, and at most 100. */
export function pageSize(url: URL): number {
  return Math.min(100, Math.max(1, wholeNumber(url, 'per_page') ?? 30))
}

function wholeNumber(url: URL, name: string): number | null {
  const value = url.searchParams.get(name) ?? ''
  return /^\d+$/.test(value) ? Number(value) : null
}

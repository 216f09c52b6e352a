import { z } from 'zod'

/** How many records a list of a tool has, unless the model asks for more. */
export const defaultPage = { limit: 10 }

/** How much of each scope and summary a list shows. `get_activity` and `get_notable` show all. */
const most = { paths: 20, pathCharacters: 2_000, summary: 500 }

const Page = z.looseObject({ items: z.array(z.looseObject({})) })
const WithScope = z.looseObject({ scope: z.looseObject({ paths: z.array(z.string()), areas: z.array(z.string()) }) })
const WithSummary = z.looseObject({ summary: z.string() })

/** Shows the first paths and areas of each record of a list with a count of all, and the beginning of its summary. */
export function shortenList(answer: Record<string, unknown>): Record<string, unknown> {
  const page = Page.parse(answer)
  return { ...page, items: page.items.map((item) => withShortScope(withShortSummary(item))) }
}

function withShortScope(item: Record<string, unknown>): Record<string, unknown> {
  const { data } = WithScope.safeParse(item)
  if (!data) return item
  const paths = firstOf(data.scope.paths)
  const areas = firstOf(data.scope.areas)
  const scope = {
    ...{ ...data.scope, areas, paths },
    ...(areas.length < data.scope.areas.length && { areas_total: data.scope.areas.length }),
    ...(paths.length < data.scope.paths.length && { paths_total: data.scope.paths.length }),
  }
  return { ...data, scope }
}

function firstOf(texts: readonly string[]): string[] {
  let left = most.pathCharacters
  return texts.slice(0, most.paths).filter((text) => {
    left -= text.length
    return left >= 0
  })
}

function withShortSummary(item: Record<string, unknown>): Record<string, unknown> {
  const { data } = WithSummary.safeParse(item)
  if (!data || data.summary.length <= most.summary) return item
  return { ...data, summary: `${data.summary.slice(0, most.summary).toWellFormed()}…` }
}

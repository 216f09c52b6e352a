/** The text of a query, and its subqueries. */
interface Query {
  text: string
  inner: string[]
}

const begins = /^\s*(select|with|insert|update|delete)\b/

/** The queries of a statement, outermost first. Subqueries are separate. */
function queriesOf(sql: string): string[] {
  const { text, inner } = split(sql)
  const parts = text.split(/\b(?:union all|union|intersect|except)\b/)
  return [...parts, ...inner.flatMap(queriesOf)]
}

function split(sql: string): Query {
  let text = ''
  const inner: string[] = []
  for (let at = 0; at < sql.length; at++) {
    if (sql[at] !== '(') {
      text += sql[at]
      continue
    }
    const end = closing(sql, at)
    const content = sql.slice(at + 1, end)
    const within = begins.test(content) ? { text: '', inner: [content] } : split(content)
    inner.push(...within.inner)
    text += `(${within.text})`
    at = end
  }
  return { text, inner }
}

function closing(sql: string, open: number): number {
  let depth = 0
  for (let at = open; at < sql.length; at++) {
    if (sql[at] === '(') depth++
    if (sql[at] === ')' && --depth === 0) return at
  }
  throw new Error(`a parenthesis that is not closed: ${sql}`)
}

/** In lower case, without quotes, schemas, literals and repeated white space. */
function plain(sql: string): string {
  return sql
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .replaceAll('"', '')
    .replaceAll('public.', '')
    .replaceAll(/\s+/g, ' ')
}

const notAlias =
  /^(set|where|on|using|inner|left|right|full|cross|join|order|group|limit|for|returning|values|select|from|offset|default)$/

/** The tables that the query reads or changes, by alias. */
function relationsOf(query: string): Map<string, string> {
  const named = query.matchAll(
    /(?:\b(?:from|join|update|using)|(?<=\bfrom [^()]*(?:\([^()]*\)[^()]*)*),) (?:only )?([a-z_]+)\b(?! ?\()(?: (?:as )?([a-z_]+))?/g,
  )
  const relations = [...named].map(([, table = '', alias]): [string, string] => [
    alias === undefined || notAlias.test(alias) ? table : alias,
    table,
  ])
  return new Map(relations)
}

/**
 * The tables that a statement reads or changes without `repository_id = …`, directly or by a join with a table that has it. It
 * only looks for the equality, and does not prove that the condition depends on it. An insert must have `repository_id` among
 * its columns.
 */
export function unsharded(sql: string, tables: ReadonlySet<string>): string[] {
  return queriesOf(plain(sql)).flatMap((query) => unbound(query, tables))
}

function unbound(query: string, tables: ReadonlySet<string>): string[] {
  const relations = [...relationsOf(query)].filter(([, table]) => tables.has(table))
  const names = new Set(relations.map(([name]) => name))
  const bound = new Set<string>()
  const equalities = [
    ...query.matchAll(/(?:\b([a-z_]+)\.)?\brepository_id ?= ?(?!any\b)(?:(\$\d+)|([a-z_]+)\.repository_id)/g),
  ]
  for (let before = -1; before < bound.size; ) {
    before = bound.size
    for (const [, left, value, right = ''] of equalities) {
      const other = left ?? (relations.length === 1 ? relations[0]?.[0] : undefined)
      // A name that is not a table is a subquery, which is checked separately.
      if (other !== undefined && (value !== undefined || bound.has(right) || !names.has(right))) bound.add(other)
      if (right !== '' && left !== undefined && (bound.has(left) || !names.has(left))) bound.add(right)
    }
  }
  const found = relations.filter(([name]) => !bound.has(name)).map(([, table]) => table)
  const [, inserted = '', columns = ''] = /\binsert into ([a-z_]+)(?: as [a-z_]+)? ?\(([^)]*)\)/.exec(query) ?? []
  const namesNone = tables.has(inserted) && !/\brepository_id\b/.test(columns)
  return namesNone ? [...found, inserted] : found
}

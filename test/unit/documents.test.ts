import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const pages = ['', 'docs/', 'bench/'].flatMap((directory) =>
  readdirSync(new URL(directory, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => directory + name),
)

/** All that the expression's group finds on the page. */
function named(page: string, expression: RegExp): string[] {
  return [...readFileSync(new URL(page, root), 'utf8').matchAll(expression)].map(([, found = '']) => found)
}

it.each(pages)('%s links only to files that are there', (page) => {
  const links = named(page, /\]\((?!https?:|#|mailto:)([^)#\s]+)/g)
  expect(links.filter((link) => !existsSync(new URL(link, new URL(page, root))))).toEqual([])
})

it('the threat model names only tests that are there', () => {
  const tests = named('SECURITY.md', /`((?:unit|integration|e2e)\/[\w/-]+)`/g)
  const missing = tests.filter((name) =>
    ['', '.test.ts'].every((end) => !existsSync(new URL(`test/${name}${end}`, root))),
  )
  expect(tests.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

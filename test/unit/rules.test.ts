import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import * as enums from '../../src/core/enums.ts'
import { detailCodes, errorCodes } from '../../src/core/errors.ts'
import { errorStatus } from '../../src/service/api/http/middleware/error-handler.ts'
import { allOperations } from '../../src/service/api/http/routes/api.ts'
import { variables } from '../../src/service/config/config.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = ['rules', 'globs'] as const

/** The folders that hold our own text; files at the top belong to it too. */
const folders = ['src', 'test', 'scripts', 'bench', 'docs', 'prisma', '.ci']
/** Generated from `prisma/schema.prisma`. */
const generated = 'src/service/db/generated/'
/** Text that others wrote. */
const foreign = ['package-lock.json', 'test/fixtures/github/']

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
}

const files = [
  ...readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name),
  ...folders.flatMap(filesBelow),
].filter((name) => ![generated, ...foreign].some((start) => name.startsWith(start)))

const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** The anchor that GitHub gives a heading: lower case, without punctuation, a hyphen for each space. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

function anchorsIn(page: string): string[] {
  const text = read(`docs/${page}.md`).replace(/^```.*?^```/gms, '')
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

const anchors = Object.fromEntries(pages.map((page) => [page, anchorsIn(page)]))

it.each(pages)('each heading of docs/%s.md has an anchor of its own', (page) => {
  const found = anchors[page] ?? []
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter((anchor, at) => found.indexOf(anchor) !== at)).toEqual([])
})

it('every link to a rule, in code and in pages, leads to a heading', () => {
  const cited = files.flatMap((name) => {
    const page = /^docs\/(rules|globs)\.md$/.exec(name)?.[1]
    const text = read(name)
    const within = page ? [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor = '']) => ({ name, page, anchor })) : []
    const across = [...text.matchAll(/\b(rules|globs)\.md#([\w-]*)/g)]
    return [...within, ...across.map(([, to = '', anchor = '']) => ({ name, page: to, anchor }))]
  })
  expect(cited.length).toBeGreaterThan(30)
  expect(cited.filter(({ page, anchor }) => !anchors[page]?.includes(anchor))).toEqual([])
})

it('no text cites a page that is not in the repository', () => {
  const gone = /decisions? \u00a7|glob[-]dialect|service[-]spec/i
  expect(files.filter((name) => gone.test(read(name)))).toEqual([])
})

it('the rules name every route, error code, detail code and variable', () => {
  const rules = read('docs/rules.md')
  const wanted = [
    ...allOperations.map(({ method, path }) => `| \`${method.toUpperCase()} ${path.replace(':id', '{id}')}\` |`),
    ...errorCodes.map((code) => `| ${errorStatus(code)} | \`${code}\` |`),
    ...detailCodes.map((code) => `\`${code}\``),
    ...variables.map((name) => `\`${name}\``),
  ]
  expect(wanted.filter((text) => !rules.includes(text))).toEqual([])
})

const lists = Object.entries(enums).flatMap(([name, words]): [string, readonly string[]][] =>
  typeof words === 'function' ? [] : [[name, words]],
)

it.each(lists)('the rules name each word of %s', (_name, words) => {
  const rules = read('docs/rules.md')
  expect(words.filter((word) => !rules.includes(`\`${word}\``))).toEqual([])
})

it('the table of fields lists exactly the categories of notables', () => {
  const row = /^\| `category` \| enum \| (.+) \|$/m.exec(read('docs/rules.md'))?.[1] ?? ''
  expect(row.split(', ')).toEqual(enums.categories.map((word) => `\`${word}\``))
})

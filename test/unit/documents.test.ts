import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { namedHosts } from '../../src/cli/agents/hosts.ts'
import { installable } from '../../src/cli/agents/install/hook-files.ts'
import { commands } from '../../src/cli/commands.ts'
import { defaultIgnoredAuthors, defaultIgnoredBranches, defaultIgnoredPaths } from '../../src/core/changes/ignored.ts'
import { maxFileBytes } from '../../src/service/records/settings/file.ts'
import { builtInSettings, SettingsFile, settingsKeys } from '../../src/service/records/settings/schema.ts'

const root = new URL('../../', import.meta.url)
const pagesIn = (directory: string, recursive = false) =>
  readdirSync(new URL(directory, root), { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => directory + name)
const roomPages = pagesIn('src/', true)
const pages = [...['', 'docs/', 'bench/'].flatMap((directory) => pagesIn(directory)), ...roomPages]

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

describe('ARCHITECTURE and the pages of the rooms', () => {
  const below = (folder: string) => readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })

  it.each(['ARCHITECTURE.md', 'docs/decisions.md', ...roomPages])('%s names only files that are there', (page) => {
    const files = ['src', 'scripts', 'test'].flatMap((folder) =>
      below(folder).flatMap((name) => [`${folder}/${name}`, name, name.slice(name.lastIndexOf('/') + 1)]),
    )
    const room = /^src\/(.+)\/README\.md$/.exec(page)?.[1]
    const names = named(page, /`([\w./-]+\.(?:tsx?|mjs))`/g)
    expect(names.length).toBeGreaterThan(1)
    expect(names.filter((name) => ![name, `${room}/${name}`].some((path) => files.includes(path)))).toEqual([])
  })

  it('say it in few lines', () => {
    const lines = (page: string) => readFileSync(new URL(page, root), 'utf8').trimEnd().split('\n').length
    expect(lines('ARCHITECTURE.md')).toBeLessThanOrEqual(120)
    expect(roomPages.length).toBeGreaterThan(10)
    expect(roomPages.filter((page) => lines(page) > 20)).toEqual([])
  })

  it('ask each question once, and answer it by one file', () => {
    const rows = named('ARCHITECTURE.md', /^(\| [A-Z][^|]+\? \| .+)$/gm)
    expect(rows.length).toBeGreaterThan(30)
    expect(rows.length).toBeLessThanOrEqual(40)
    expect(rows.filter((row) => row.match(/`/g)?.length !== 2)).toEqual([])
  })
})

it('the table of agents has a row for each whose hooks are ours, with the name under which its work is recorded', () => {
  const rows = [...readFileSync(new URL('docs/agents.md', root), 'utf8').matchAll(/^\| ([^|]+) \|.*\| `([\w-]+)` \|/gm)]
  const table = new Map(rows.map(([, name, id]) => [id, name]))
  expect(Object.values(namedHosts).map(({ agent }) => table.get(agent.id))).toEqual(
    Object.values(namedHosts).map(({ agent }) => agent.name),
  )
})

it('the page of the command line names every agent whose hooks can be installed', () => {
  const [list] = named('docs/command-line.md', /^headsup hook install .*one of: (.+), git, all$/gm)
  expect(list?.split(', ')).toEqual(installable)
})

describe('README', () => {
  const readme = readFileSync(new URL('README.md', root), 'utf8')
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const called = (pattern: RegExp) =>
    blocks.flatMap((block) => [...block.matchAll(pattern)].map(([, name = '']) => name))

  it('has at most 90 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(90)
  })

  it('names commands of headsup and scripts of npm that are there, with flags that they take', async () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
    const names = called(/\bnpm run ([\w:]+)/g)
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
    const inText = named('README.md', /`(headsup [^`]+)`/g)
    const lines = [...called(/^(headsup [^#\n]+)/gm), ...inText].map((line) => line.trim().split(/\s+/).slice(1))
    expect(lines.length).toBeGreaterThan(5)
    for (const words of lines) {
      const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) => Object.hasOwn(commands, one)) ?? ''
      const command = await commands[name]?.load()
      expect(command, words.join(' ')).toBeDefined()
      const flags = words.flatMap((word) => /^--([\w-]+)$/.exec(word)?.[1] ?? [])
      expect(flags.filter((flag) => !Object.hasOwn(command?.command.options ?? {}, flag))).toEqual([])
    }
  })
})

const number = (value: number) => value.toLocaleString('en')

/** How the page begins to describe this default. */
function defaultCell(value: unknown): string {
  if (typeof value === 'number') return number(value)
  if (typeof value === 'string' || typeof value === 'boolean') return `\`${value}\``
  if (!Array.isArray(value) || value.length === 0) return 'none'
  return value.length === 1 ? `\`${value[0]}\`` : '\\[[^|]*\\]\\(#default-lists\\)'
}

it('the page of the settings names every key, with its bounds and its default', () => {
  const page = readFileSync(new URL('docs/settings.md', root), 'utf8')
  const rows = new Map([...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, key = '', cells]) => [key, cells]))
  expect([...rows.keys()].sort()).toEqual(Object.keys(SettingsFile.shape).sort())
  const { areas, enabled, pull_request_report, pull_request_report_notables, ...bounded } =
    z.toJSONSchema(z.object(settingsKeys(60_000))).properties ?? {}
  const Bounds = z.looseObject({ minimum: z.number().default(0), maximum: z.number().default(0) })
  for (const [key, schema] of Object.entries(bounded)) {
    const { minimum, maximum, maxItems } = Bounds.parse(schema)
    const most = maximum === Number.MAX_SAFE_INTEGER ? 'none' : number(maximum)
    const cells = maxItems === undefined ? `^${number(minimum)}\\b[^|]*(\\||to) ${most}\\b` : `^at most ${maxItems}\\b`
    expect(rows.get(key)).toMatch(new RegExp(cells))
  }
  for (const [key, value] of Object.entries(builtInSettings)) {
    expect(rows.get(key)).toMatch(new RegExp(`\\| ${defaultCell(value)}[^|]*$`))
  }
  for (const list of [defaultIgnoredPaths, defaultIgnoredBranches, defaultIgnoredAuthors]) {
    expect(page).toContain(`\n\`\`\`text\n${list.join('\n')}\n\`\`\`\n`)
  }
  for (const truth of [enabled, pull_request_report_notables]) expect(truth).toEqual({ type: 'boolean' })
  expect(rows.get('pull_request_report')).toMatch(/^`check`, `ready` [^`]*`off`/)
  expect(pull_request_report).toMatchObject({ enum: ['check', 'ready', 'off'] })
  expect(areas).toMatchObject({
    propertyNames: { minLength: 1, maxLength: 100 },
    additionalProperties: { maxItems: 100, items: { minLength: 1, maxLength: 1024 } },
  })
  expect(page).toContain(`At most ${maxFileBytes / 1024} KiB`)
})

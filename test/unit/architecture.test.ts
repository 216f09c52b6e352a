import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = new URL('../../src/', import.meta.url).pathname

/**
 * The floors of the house, top to bottom (ARCHITECTURE.md). A file imports from its own room and from the floors below. Rooms of one
 * floor import nothing from each other.
 */
const floors: readonly (readonly string[])[] = [
  ['service'],
  ['cli', 'page', 'setup'],
  ['service/app', 'service/jobs', 'service/telemetry'],
  ['service/api/mcp'],
  ['service/api/http'],
  ['service/api/session'],
  ['service/api/operations'],
  ['service/github', 'service/live'],
  ['service/report'],
  ['service/overlap'],
  ['service/observed'],
  ['service/records/activity', 'service/records/notable'],
  ['service/records/idempotency', 'service/records/history'],
  ['service/context'],
  ['service/config'],
  ['service/records/settings'],
  ['service/records/repository'],
  ['service/db'],
  ['service/lib'],
  ['core/texts'],
  ['core/rules'],
  ['core/schemas'],
  ['core/changes'],
  ['core/scope'],
  ['core/lib'],
]

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('service/db/generated/'))

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8')
  const found = text.matchAll(/^(?:import|export) (type )?(?:[^'";]*? from )?'([^']+)'/gms)
  return [...found].map(([, type, to = '']) => ({ from: file, to, typeOnly: type !== undefined }))
}

function lazyImportsOf(file: string): Import[] {
  const found = readFileSync(join(src, file), 'utf8').matchAll(/\bimport\('([^']+)'\)/g)
  return [...found].map(([, to = '']) => ({ from: file, to, typeOnly: false }))
}

const all = files.flatMap(importsOf)
const own = all
  .filter(({ to }) => to.startsWith('.'))
  .map((found) => ({ ...found, to: relative(src, join(src, dirname(found.from), found.to)) }))

/** A folder of `core`, `service`, `service/api` or `service/records`; a whole program; or one of the two files that every room uses. */
function room(file: string): string {
  const [program = '', ...parts] = file.replace(/\.tsx?$/, '').split('/')
  if (program === 'core') return parts.length > 1 ? `core/${parts[0]}` : 'core/lib'
  if (program !== 'service') return program
  if (parts.length === 1) return parts[0] === 'app' || parts[0] === 'context' ? `service/${parts[0]}` : 'service'
  const depth = parts[0] === 'api' || (parts[0] === 'records' && parts.length > 2) ? 2 : 1
  return ['service', ...parts.slice(0, depth)].join('/')
}

function floor(file: string): number {
  return floors.findIndex((rooms) => rooms.includes(room(file)))
}

/** `path` of every file that the test allows to do it, out of those that do. */
function elsewhere(found: Import[], allowed: RegExp): string[] {
  return found.filter(({ from }) => !allowed.test(from)).map(({ from, to }) => `${from} → ${to}`)
}

describe('the house', () => {
  it('has a floor for every file', () => {
    expect(files.filter((file) => floor(file) === -1)).toEqual([])
    expect(files.length).toBeGreaterThan(60)
  })

  it('imports only from the own room and from lower floors, types included', () => {
    const others = own.filter(({ from, to }) => room(to) !== room(from) && floor(to) <= floor(from))
    expect(others.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
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

  it('writes SQL only in db/ and in files named *.sql.ts', () => {
    const sql = /\b(db|pool)\.query[(<]|\$(queryRaw|executeRaw)|\bPrisma\.sql\b|readPrepared/
    const writers = files.filter((file) => sql.test(readFileSync(join(src, file), 'utf8')))
    const others = writers.filter((file) => !/^service\/db\/|\.sql\.ts$/.test(file))
    expect(others).toEqual([])
    expect(writers.length).toBeGreaterThan(10)
  })

  it('opens transactions and uses the pool only in db/, so that conflicts are retried', () => {
    const users = files.filter((file) => /\$transaction\b|\bdb\.pool\b/.test(readFileSync(join(src, file), 'utf8')))
    expect(users.filter((file) => !file.startsWith('service/db/'))).toEqual([])
  })

  it('uses the database only in stores and db/', () => {
    const database = all.filter(({ to, typeOnly }) => !typeOnly && /generated|^pg$|@prisma/.test(to))
    expect(elsewhere(database, /^service\/db\/|(store|sql)\.ts$/)).toEqual([])
  })

  it('makes connections to the database only in service/db/connect.ts, where their sessions are set to UTC', () => {
    const makers = files.filter((file) =>
      /new pg\.(Client|Pool)\b|extends pg\.Client\b/.test(readFileSync(join(src, file), 'utf8')),
    )
    expect(makers).toEqual(['service/db/connect.ts'])
  })

  it('uses Octokit only in github/, the MCP SDK only in mcp/, and Express only in http/, mcp/, setup/ and app.ts', () => {
    expect(
      elsewhere(
        all.filter(({ to }) => /octokit|^probot$/.test(to)),
        /^service\/github\//,
      ),
    ).toEqual([])
    expect(
      elsewhere(
        all.filter(({ to }) => to === 'express'),
        /^(service\/api\/(http|mcp)|setup)\/|^service\/app\.ts$/,
      ),
    ).toEqual([])
    expect(
      elsewhere(
        all.filter(({ to }) => to.startsWith('@modelcontextprotocol/')),
        /^service\/api\/mcp\//,
      ),
    ).toEqual([])
  })

  it('loads Probot only in service/github/probot.ts, which nothing imports at the start, and for the set-up', () => {
    const probot = all.filter(({ to, typeOnly }) => to === 'probot' && !typeOnly)
    expect(probot.map(({ from }) => from).sort()).toEqual([
      'service/github/convert-manifest.ts',
      'service/github/probot.ts',
    ])
    expect(own.filter(({ to, typeOnly }) => to === 'service/github/probot.ts' && !typeOnly)).toEqual([])
  })

  it('reads the environment in the three main.ts and in service/github/app.ts, which Probot runs by itself', () => {
    const readers = files.filter((file) => readFileSync(join(src, file), 'utf8').includes('process.env'))
    expect(readers.sort()).toEqual(['cli/main.ts', 'service/github/app.ts', 'service/main.ts', 'setup/main.ts'])
  })

  it('starts the command line fast: with its own files, pure files that import only pure files, and Node', () => {
    const changes = [
      'changed-paths',
      'collapse-paths',
      'git-diff',
      'limit-changes',
      'limits',
      'object-id',
      'spans',
      'unified-diff',
    ].map((name) => `core/changes/${name}.ts`)
    // Loaded only where a glob is matched with the files of the work tree.
    const lazy = files.filter((file) => /^core\/scope\/(glob|match)\//.test(file) && !file.endsWith('glob-cache.ts'))
    lazy.push('core/changes/changes-within.ts')
    changes.push(...files.filter((file) => file.startsWith('core/changes/edits/')))
    const pure = [
      'core/texts/quote.ts',
      'core/texts/join-words.ts',
      'core/texts/line-list.ts',
      'core/rules/order/pair-order.ts',
      'core/rules/response/id-limits.ts',
      'core/rules/severity.ts',
      'core/rules/severity-after-merge.ts',
      'core/rules/outcome.ts',
      'core/rules/order/list-order.ts',
      'core/texts/next-step.ts',
      'core/texts/age.ts',
      'core/texts/unread-work.ts',
      'core/scope/area-key.ts',
      'core/scope/is-about-repository.ts',
      'core/scope/glob/escape.ts',
      'core/scope/glob/limits.ts',
      'core/enums.ts',
      'core/lib/parse-events.ts',
      'core/lib/did-you-mean.ts',
      ...files.filter((file) =>
        /^core\/texts\/(sentence\/.*|advice|described|issue-list|message|new-file|work-name)\.ts$/.test(file),
      ),
      ...changes,
    ]
    const imports = [...all, ...files.flatMap(lazyImportsOf)].filter(({ typeOnly }) => !typeOnly)
    const reached = imports.filter(({ from }) => room(from) === 'cli')
    const from = (path: string, to: string) => relative(src, join(src, dirname(path), to))
    const others = reached.filter(({ from: path, to }) => {
      if (!to.startsWith('.'))
        return !/^node:(http|https|util|fs|fs\/promises|timers\/promises|path|child_process|os|crypto|zlib)$/.test(to)
      const isLazy = lazyImportsOf(path).some((one) => one.to === to) && lazy.includes(from(path, to))
      return room(from(path, to)) !== 'cli' && !isLazy && !pure.includes(from(path, to))
    })
    expect(reached.length).toBeGreaterThan(40)
    expect(others.map((found) => `${found.from} → ${found.to}`)).toEqual([])
    for (const group of [pure, [...lazy, 'core/lib/maps.ts']]) {
      const ofGroup = imports.filter(({ from: path }) => group.includes(path))
      expect(ofGroup.filter(({ from: path, to }) => !group.includes(from(path, to)))).toEqual([])
    }
  })

  it('gives the page Preact, its own files and a few pure ones', () => {
    const shared =
      /^core\/(scope\/((glob|match)\/.*|area-key|is-about-repository)|page-paths|repository-names|return-path|lib\/(parse-events|maps)|rules\/(severity|order\/pair-order|response\/id-limits)|texts\/(sentence\/.*|age|unread-work|issue-list|join-words|line-list)|enums)\.ts$/
    const imports = [...all, ...files.flatMap(lazyImportsOf)].filter(({ typeOnly }) => !typeOnly)
    const reached = new Set(files.filter((file) => room(file) === 'page'))
    const packages = new Set<string>()
    for (const file of reached) {
      for (const { from, to } of imports) {
        if (from !== file) continue
        if (to.startsWith('.')) reached.add(relative(src, join(src, dirname(from), to)))
        else packages.add(to)
      }
    }
    expect([...packages].sort()).toEqual(['preact', 'preact/hooks'])
    expect([...reached].filter((file) => room(file) !== 'page' && !shared.test(file))).toEqual([])
    expect(own.filter(({ from, to }) => room(from) !== 'page' && room(to) === 'page')).toEqual([])
  })

  it('writes no markup and no inline styles in the page, which its policy forbids', () => {
    const page = files.filter((file) => room(file) === 'page')
    const forbidden = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\bstyle=|\beval\(|new Function/i
    expect(page.filter((file) => forbidden.test(readFileSync(join(src, file), 'utf8')))).toEqual([])
    expect(page.length).toBeGreaterThan(20)
  })

  it('runs programs of the command line only in git/git.ts, merge/git/git-process.ts, and for ssh, gh, the browser and itself', () => {
    const runners = all.filter(({ from, to }) => room(from) === 'cli' && to === 'node:child_process')
    // The plugin is the text of a program that opencode runs.
    expect(runners.map(({ from }) => from).sort()).toEqual([
      'cli/agents/opencode/plugin-file.ts',
      'cli/client/service/open-browser.ts',
      'cli/client/service/token.ts',
      'cli/git/git.ts',
      'cli/git/ssh-alias.ts',
      'cli/merge/git/git-process.ts',
      'cli/merge/kept/fetch-in-background.ts',
    ])
  })

  it('limits the time of work by service/lib/with-time-limit.ts: AbortSignal.any frees a timeout before it aborts', () => {
    const users = (use: RegExp) => files.filter((file) => use.test(readFileSync(join(src, file), 'utf8')))
    // A listener of its own keeps it.
    expect(users(/AbortSignal\.timeout\(/)).toEqual(['cli/hooks/time-limit.ts'])
    expect(users(/AbortSignal\.any\(/).filter((file) => room(file) !== 'page')).toEqual([])
  })

  it('picks the status of a refusal only in service/api/http/middleware/error-handler.ts', () => {
    const pickers = files.filter((file) =>
      /\.status\((4|5)\d\d\)|sendStatus/.test(readFileSync(join(src, file), 'utf8')),
    )
    expect(pickers).toEqual([])
  })

  it('keeps pure files pure: no clock, no I/O, no randomness', () => {
    const pure = [
      ...files.filter((file) => file.startsWith('core/scope/') && file !== 'core/scope/match/work-budget.ts'),
      ...files.filter((file) => file.startsWith('core/changes/') || file.startsWith('core/rules/changed/')),
      ...['status', 'lifetime', 'apply-update', 'present', 'pull-request/pull-request-link'].map(
        (name) => `service/records/activity/${name}.ts`,
      ),
      ...files.filter((file) => file.startsWith('core/texts/') || file.startsWith('page/model/')),
      ...['colliding-pulls', 'markdown', 'report-facts', 'report-text', 'rewrite-rules', 'summary', 'write-pace'].map(
        (name) => `service/report/${name}.ts`,
      ),
      ...[
        'decide',
        'compare-all',
        'compare-work',
        'findings',
        'relationship/pull-relationship',
        'relationship/relationship',
      ].map((name) => `core/rules/${name}.ts`),
      'service/overlap/build-overlap.ts',
      ...['core/rules/severity.ts', 'core/texts/quote.ts', 'service/overlap/candidates/covered-work.ts'],
      ...[
        'service/records/notable/present.ts',
        'service/records/settings/effective.ts',
        'service/records/settings/saved-settings.ts',
        'service/records/settings/schema.ts',
      ],
      ...['service/api/session/cookie.ts', 'core/return-path.ts'],
    ]
    const impure = pure.filter((file) =>
      /Date\.now|new Date\(\)|Math\.random|'node:|setTimeout|fetch\(/.test(readFileSync(join(src, file), 'utf8')),
    )
    expect(impure).toEqual([])
  })

  it('decides and explains overlaps without the database', () => {
    const reached = new Set(['core/rules/decide.ts', 'service/overlap/build-overlap.ts'])
    for (const file of reached)
      for (const { from, to, typeOnly } of own) if (from === file && !typeOnly) reached.add(to)
    expect(reached.size).toBeGreaterThan(10)
    expect([...reached].filter((file) => /^service\/db\/|(store|sql)\.ts$/.test(file))).toEqual([])
  })

  it('writes the texts of an answer without packages, so that the command line can load them', () => {
    const reached = new Set(['core/texts/explain.ts', 'core/texts/clear.ts', 'core/texts/message.ts'])
    for (const file of reached)
      for (const { from, to, typeOnly } of own) if (from === file && !typeOnly) reached.add(to)
    const packages = all.filter(({ from, to, typeOnly }) => reached.has(from) && !typeOnly && !to.startsWith('.'))
    expect(packages.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  it('reads the texts of an answer in one place alone: all other clients go by its fields', () => {
    const programs = files.filter((file) => /^(?:cli|page|service\/api\/mcp|service\/report)\//.test(file))
    const readers = programs.filter((file) =>
      /(?:\.|')recommended_action\b|(?:overlap|check)\.reason\b|\/[^/\n]*go ahead[^/\n]*\//i.test(
        readFileSync(join(src, file), 'utf8'),
      ),
    )
    expect(readers).toEqual(['cli/client/messages.ts'])
  })

  it('exports no name twice with different meanings', () => {
    const exported = /^export (?:async )?(?:function|const|interface|type|class) (\w+)/gm
    const byName = new Map<string, Set<string>>()
    for (const file of files.filter((name) => name.endsWith('.ts'))) {
      for (const [, name = ''] of readFileSync(join(src, file), 'utf8').matchAll(exported)) {
        byName.set(name, (byName.get(name) ?? new Set()).add(file))
      }
    }
    const twice = [...byName].filter(([name, { size }]) => size > 1 && name !== 'command')
    expect(twice.map(([name, found]) => [name, ...found])).toEqual([])
  })

  it('has no file so long that nobody reads it', () => {
    const long = files.filter((file) => readFileSync(join(src, file), 'utf8').split('\n').length > 250)
    expect(long).toEqual([])
  })
})

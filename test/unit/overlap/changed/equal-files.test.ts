import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../../../src/core/changes/file-change.ts'
import { parseGitDiff } from '../../../../src/core/changes/git-diff.ts'
import type { Severity } from '../../../../src/core/enums.ts'
import { comparableWork } from '../../../../src/core/rules/changed/changed-work.ts'
import { compareChanges } from '../../../../src/core/rules/changed/compare-changes.ts'
import { compareWithChanges, decidedByLines } from '../../../../src/core/rules/compare-work.ts'
import { scratch } from '../../../support/scratch.ts'
import { git } from '../../changes/git.ts'

const lines = (count: number, changed: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, at) => `${changed[at + 1] ?? `line ${at + 1}`}\n`).join('')

const base = { 'a.ts': lines(40), 'b.ts': lines(40), 'old.ts': lines(40), 'gone.ts': lines(5) }

/** The texts that a branch changes; null removes the file. */
type Texts = Readonly<Record<string, string | null>>

const quiet = { isIgnored: () => false, ignoredAuthors: [], maxFiles: 100, isHot: () => false }

describe('two branches that change files alike', () => {
  it.each<{ what: string; ours: Texts; theirs: Texts; merges: boolean }>([
    {
      what: 'change the same lines in the same way',
      ours: { 'a.ts': lines(40, { 7: 'new' }) },
      theirs: { 'a.ts': lines(40, { 7: 'new' }) },
      merges: true,
    },
    {
      what: 'change the same lines in two ways',
      ours: { 'a.ts': lines(40, { 7: 'new' }) },
      theirs: { 'a.ts': lines(40, { 7: 'other' }) },
      merges: false,
    },
    {
      what: 'change one file alike, and another one in two ways',
      ours: { 'a.ts': lines(40, { 7: 'new' }), 'b.ts': lines(40, { 9: 'new' }) },
      theirs: { 'a.ts': lines(40, { 7: 'new' }), 'b.ts': lines(40, { 9: 'other' }) },
      merges: false,
    },
    { what: 'add the same file', ours: { 'new.ts': 'x\n' }, theirs: { 'new.ts': 'x\n' }, merges: true },
    { what: 'add two files of one name', ours: { 'new.ts': 'x\n' }, theirs: { 'new.ts': 'y\n' }, merges: false },
    { what: 'remove the same file', ours: { 'gone.ts': null }, theirs: { 'gone.ts': null }, merges: true },
    {
      what: 'remove and change one file',
      ours: { 'gone.ts': null },
      theirs: { 'gone.ts': lines(5, { 2: 'new' }) },
      merges: false,
    },
    {
      what: 'rename and change a file in the same way',
      ours: { 'old.ts': null, 'moved.ts': lines(40, { 3: 'new' }) },
      theirs: { 'old.ts': null, 'moved.ts': lines(40, { 3: 'new' }) },
      merges: true,
    },
    {
      what: 'rename a file to two names',
      ours: { 'old.ts': null, 'moved.ts': lines(40) },
      theirs: { 'old.ts': null, 'other.ts': lines(40) },
      merges: false,
    },
  ])('and $what: they collide where git cannot merge them', async ({ ours, theirs, merges }) => {
    const found = await compared(ours, theirs)
    expect(found.merges).toBe(merges)
    expect(found.severities).toEqual(merges ? [null, null] : ['high', 'high'])
  })
})

describe('a file that one of two branches renames', () => {
  it.each<{ what: string; ours: Texts; theirs: Texts; severity: Severity | null; merges: boolean }>([
    {
      what: 'collides where the other changes it, though git may merge that',
      ours: { 'old.ts': null, 'moved.ts': lines(40) },
      theirs: { 'old.ts': lines(40, { 30: 'new' }) },
      ...{ severity: 'high', merges: true },
    },
    {
      what: 'is compared by lines where the other renames it to the same name: far lines',
      ours: { 'old.ts': null, 'moved.ts': lines(40, { 3: 'new' }) },
      theirs: { 'old.ts': null, 'moved.ts': lines(40, { 30: 'new' }) },
      ...{ severity: null, merges: true },
    },
    {
      what: 'is compared by lines where the other renames it to the same name: the same line',
      ours: { 'old.ts': null, 'moved.ts': lines(40, { 3: 'new' }) },
      theirs: { 'old.ts': null, 'moved.ts': lines(40, { 3: 'other' }) },
      ...{ severity: 'high', merges: false },
    },
    {
      what: 'does not collide where the other does just the same',
      ours: { 'old.ts': null, 'moved.ts': lines(40) },
      theirs: { 'old.ts': null, 'moved.ts': lines(40) },
      ...{ severity: null, merges: true },
    },
  ])('$what', async ({ ours, theirs, severity, merges }) => {
    const found = await compared(ours, theirs)
    expect(found.merges).toBe(merges)
    expect(found.severities).toEqual([severity, severity])
  })
})

describe('a file that both leave with the same content', () => {
  it('is decided, so that it is no overlap that both scopes name it', () => {
    const files: FileChange[] = [{ path: 'a.ts', previous_path: null, status: 'modified', lines: null, blob: 'x' }]
    const work = { baseBranch: 'main', author: null, headSha: null, commits: new Set<string>(), files, filesTotal: 1 }
    const found = compareWithChanges(
      { named: { literal: ['a.ts'], wide: { patterns: [] } }, changed: comparableWork(work), author: null },
      comparableWork(work),
      { ...quiet, hot: new Map() },
      { steps: 0 },
    )
    expect(found).toMatchObject({ severity: null, files: [{ proximity: 'same content' }] })
    expect([...decidedByLines(found)]).toEqual(['a.ts'])
  })
})

/** Whether git merges two branches, and how severe each is for the other. */
async function compared(ours: Texts, theirs: Texts) {
  const top = await scratch()
  git(top, 'init', '-q', '-b', 'main')
  commit(top, base)
  const changes = [ours, theirs].map((texts, nth) => {
    git(top, 'checkout', '-q', '-b', `branch${nth}`, 'main')
    commit(top, texts)
    return changesOf(top, `branch${nth}`)
  })
  const [a, b] = changes.map((files) =>
    comparableWork({ baseBranch: 'main', author: null, headSha: null, commits: new Set(), files, filesTotal: 1 }),
  )
  if (!a || !b) throw new Error('There are two branches.')
  return {
    merges: git(top, 'merge-tree', '--write-tree', 'branch0', 'branch1').code === 0,
    severities: [compareChanges(a, b, quiet)?.severity, compareChanges(b, a, quiet)?.severity],
  }
}

function commit(top: string, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    const file = join(top, path)
    mkdirSync(dirname(file), { recursive: true })
    if (text === null) rmSync(file)
    else writeFileSync(file, text)
  }
  git(top, 'add', '-A')
  git(top, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'change')
}

/** What the branch changes, with the blobs that GitHub would list. */
function changesOf(top: string, branch: string): FileChange[] {
  const { out } = git(top, 'diff', '--raw', '-z', '--patch', '-U0', '-M', 'main', branch)
  return parseGitDiff(out).map((file) => {
    if (file.status === 'removed') return { ...file, blob: null }
    return { ...file, blob: git(top, 'rev-parse', `${branch}:${file.path}`).out.trim() }
  })
}

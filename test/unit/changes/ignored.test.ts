import { describe, expect, it } from 'vitest'
import {
  defaultIgnoredAuthors,
  defaultIgnoredBranches,
  defaultIgnoredPaths,
  matchesAny,
} from '../../../src/core/changes/ignored.ts'
import { parseGlob } from '../../../src/core/scope/glob/glob.ts'
import { readGlobs } from '../../../src/core/scope/parse-scope.ts'

const ignoredPaths = readGlobs(defaultIgnoredPaths)

describe('the paths that are ignored by default', () => {
  it('are globs of the dialect', () => {
    expect(defaultIgnoredPaths.filter((glob) => !parseGlob(glob).ok)).toEqual([])
  })

  it.each([
    'package-lock.json',
    'web/pnpm-lock.yaml',
    'Cargo.lock',
    'crates/a/Cargo.lock',
    'go.sum',
    'go.work.sum',
    'CHANGELOG',
    'CHANGELOG.md',
    'activerecord/CHANGELOG.md',
    'docs/changelog.rst',
    'NEWS.txt',
    'test/a.test.ts.snap',
    'src/__snapshots__/a.txt',
    'vendor/x',
    'ios/Pods/Manifest.lock',
    'a/node_modules/b/index.js',
    'dist/app.min.js',
    '.release-please-manifest.json',
  ])('hold %s', (path) => expect(matchesAny(path, ignoredPaths)).toBe(true))

  it.each([
    'package.json',
    'src/lock.ts',
    'go.mod',
    'Makefile',
    'LICENSE',
    '.gitignore',
    'bin/run',
    'vendor',
    'src/vendor.ts',
    'CHANGELOG.md/readme',
    'src/changelog.ts',
    'docs/NEWSLETTER.md',
    'packages/a/.release-please-manifest.json',
    'app/[id]/page.tsx',
    'a*b?c{d}.ts',
  ])('do not hold %s', (path) => expect(matchesAny(path, ignoredPaths)).toBe(false))

  it('do not name coding agents among the authors', () => {
    expect(defaultIgnoredAuthors.filter((login) => /copilot|devin|claude|cursor|codex|jules/i.test(login))).toEqual([])
  })
})

describe('the branches that are ignored by default', () => {
  const ignoredBranches = readGlobs(defaultIgnoredBranches)

  it('are globs of the dialect', () => {
    expect(defaultIgnoredBranches.filter((glob) => !parseGlob(glob).ok)).toEqual([])
  })

  it.each([
    'gh-readonly-queue/main/pr-12-0123456789abcdef',
    'mergify/merge-queue/0123456789',
    'trunk-merge/pr-12/0123456789',
    'trunk-temp/pr-12/0123456789',
    'gtmq_main_1700000000_12',
    'graphite-base/12',
  ])('hold %s', (branch) => expect(matchesAny(branch, ignoredBranches)).toBe(true))

  it.each(['main', 'feat/mergify/x', 'mergify-config', 'fix/gtmq_12', 'graphite-base'])('do not hold %s', (branch) =>
    expect(matchesAny(branch, ignoredBranches)).toBe(false),
  )
})

it('a text that is no glob ignores nothing, and the globs beside it count', () => {
  const globs = readGlobs(['{unclosed', '*.snap'])
  expect(['a.ts', '{unclosed', 'a.snap'].filter((path) => matchesAny(path, globs))).toEqual(['a.snap'])
})

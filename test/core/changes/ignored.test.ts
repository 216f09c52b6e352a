import { describe, expect, it } from 'vitest'
import { ignoredFiles } from '../../../src/core/changes/ignored.ts'
import { defaultIgnoredAuthors, defaultIgnoredPaths } from '../../../src/core/default-ignored.ts'

describe('§9 the paths that are ignored by default', () => {
  const isIgnored = ignoredFiles(defaultIgnoredPaths)

  it.each([
    ...['package-lock.json', 'web/pnpm-lock.yaml', 'Cargo.lock', 'crates/a/Cargo.lock', 'go.sum', 'go.work.sum'],
    ...['CHANGELOG', 'CHANGELOG.md', 'activerecord/CHANGELOG.md', 'docs/changelog.rst', 'NEWS.txt'],
    ...['test/a.test.ts.snap', 'src/__snapshots__/a.txt', 'src/__generated__/a.ts', 'vendor/x', 'dist/app.min.js'],
    ...['ios/Pods/Manifest.lock', 'a/node_modules/b/index.js', '.release-please-manifest.json'],
    ...['.claude/settings.json', '.claude/settings.local.json', '.codex/hooks.json', '.opencode/plugins/headsup.js'],
  ])('hold %s', (path) => expect(isIgnored(path)).toBe(true))

  it.each([
    ...['package.json', 'src/lock.ts', 'go.mod', 'Makefile', 'LICENSE', '.gitignore', 'bin/run', 'vendor'],
    ...['src/vendor.ts', 'src/changelog.ts', 'docs/NEWSLETTER.md', '.claude/commands/a.md'],
    ...['packages/a/.release-please-manifest.json', 'app/[id]/page.tsx', 'a*b?c{d}.ts'],
  ])('do not hold %s', (path) => expect(isIgnored(path)).toBe(false))
})

it('§9 coding agents are not among the authors that are ignored by default', () => {
  expect(defaultIgnoredAuthors.filter((login) => /copilot|devin|claude|cursor|codex|jules/i.test(login))).toEqual([])
})

it('a file of which it is too costly to tell whether it is ignored counts', () => {
  const isIgnored = ignoredFiles([`${'*a'.repeat(100)}b`, 'src/x'])
  expect(isIgnored('a'.repeat(1_000))).toBe(false)
  expect(isIgnored('src/x')).toBe(true)
})

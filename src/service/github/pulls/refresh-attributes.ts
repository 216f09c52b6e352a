import { z } from 'zod'
import { maxAttributeBytes, parseGitAttributes } from '../../../core/changes/git-attributes.ts'
import type { Database } from '../../db/database.ts'
import { saveAttributes } from '../../observed/git-attributes.sql.ts'
import { type RepositoryToRead, routeParameters, type SendRequest } from './read-response.ts'

/** How often the file is read, in ms. */
const everyMs = 3_600_000

const fileSchema = z.object({ type: z.literal('file'), encoding: z.literal('base64'), content: z.string() })

export interface AttributesReading {
  db: Database
  repository: RepositoryToRead
  /** When the file was read last. */
  readAt: Date | null
  request: SendRequest
  now(): Date
}

/**
 * Reads `.gitattributes` from the root of the default branch, once an hour (docs/rules.md#ignored-files). A file that
 * can't be read counts as none. Without an answer, the saved rules stay.
 */
export async function refreshAttributes({ db, repository, readAt, request, now }: AttributesReading): Promise<void> {
  const began = now()
  if (readAt !== null && began.getTime() - readAt.getTime() < everyMs) return
  const route = 'GET /repos/{owner}/{repo}/contents/.gitattributes'
  const response = await request({ route, parameters: routeParameters(repository) })
  if (response.kind === 'failure' || ![200, 403, 404].includes(response.status)) return
  const text = response.status === 200 ? textOf(response.body) : null
  await saveAttributes(db, repository.id, text === null ? null : parseGitAttributes(text), began)
}

/** The text of the file, at most `maxAttributeBytes` of it. */
function textOf(body: unknown): string | null {
  const file = fileSchema.safeParse(body)
  if (!file.success) return null
  const bytes = Buffer.from(file.data.content, 'base64')
  if (bytes.length <= maxAttributeBytes) return bytes.toString('utf8')
  const text = bytes.toString('utf8', 0, maxAttributeBytes)
  return text.slice(0, text.lastIndexOf('\n') + 1)
}

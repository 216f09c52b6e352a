import { z } from 'zod'
import { maxAttributeBytes, parseGitAttributes } from '../../changes/git-attributes.ts'
import type { Database } from '../../db/database.ts'
import type { GithubResponse } from '../github-response.ts'
import { saveAttributes } from './observation.sql.ts'

/** How often the file is read, in ms. */
const everyMs = 3_600_000

const fileSchema = z.object({ type: z.literal('file'), encoding: z.literal('base64'), content: z.string() })

export interface AttributesReading {
  db: Database
  repository: { id: bigint; owner: string; name: string }
  /** When the file was read last. */
  readAt: Date | null
  request: (request: { route: string; parameters: Record<string, unknown> }) => Promise<GithubResponse>
  now(): Date
}

/**
 * Reads `.gitattributes` from the root of the default branch, once an hour (docs/rules.md#ignored-files). A file that can't be
 * read counts as none. Without an answer, what is saved stays.
 */
export async function refreshAttributes({ db, repository, readAt, request, now }: AttributesReading): Promise<void> {
  const began = now()
  if (readAt !== null && began.getTime() - readAt.getTime() < everyMs) return
  const parameters = { owner: repository.owner, repo: repository.name }
  const response = await request({ route: 'GET /repos/{owner}/{repo}/contents/.gitattributes', parameters })
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

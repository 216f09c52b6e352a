import { z } from 'zod'
import { withTimeLimit } from '../../lib/with-time-limit.ts'
import { settingsPath } from '../../records/settings/file.ts'
import type { FileContent, FileRequest, FindSettingsFile, FoundFile } from '../../records/settings/found-file.ts'
import type { GithubResponse } from '../github-response.ts'
import { isRateLimit, retryAfterSeconds } from '../rate-limits.ts'
import type { GithubApp } from './app-client.ts'

const fileSchema = z.object({
  type: z.string(),
  sha: z.string(),
  size: z.int().optional(),
  encoding: z.string().optional(),
  content: z.string().optional(),
})

const visibilitySchema = z.object({ private: z.boolean() })

/** When to read again after GitHub refused the read, in seconds. */
const refusedSeconds = 600

/** The repository whose settings are in force in all of the owner's repositories that have none of their own. */
const fallback = '.github'

/**
 * Finds a settings file by two plain contents calls (docs/rules.md#reading-settings): on the default branch of the
 * repository, else of the owner's `.github` repository. All calls together end after `timeLimitMs`.
 */
export function createSettingsFinder(options: {
  app: GithubApp
  now: () => Date
  timeLimitMs: number
}): FindSettingsFile {
  const { app, now, timeLimitMs } = options
  const limit = { ms: timeLimitMs, reason: `no answer within ${timeLimitMs} ms` }

  async function find({ owner, name, known }: FileRequest, signal: AbortSignal): Promise<FoundFile> {
    const places = name.toLowerCase() === fallback ? [name] : [name, fallback]
    for (const place of places) {
      const repository = `${owner}/${place}`
      const etag = known?.repository === repository ? known.etag : null
      // A redirect would lead to a repository of another name, and maybe of another owner.
      const request = {
        route: `GET /repos/{owner}/{repo}/contents/${settingsPath}`,
        parameters: { owner, repo: place },
        etag,
        keepsRedirects: true,
        signal,
      }
      // Always the installation of the repository itself. Where the App is not installed, it reads nothing.
      const response = await app.requestForRepository({ owner, repo: name }, request)
      if (response.kind === 'not_installed') return { kind: 'none' }
      const found = readResponse(response, {
        repository,
        isOwn: place === name,
        isConditional: etag !== null,
        now: now().getTime(),
      })
      if (found.kind === 'file' || found.kind === 'unchanged') {
        const refused = place === name ? undefined : await refuseForPublicRepository({ app, now, signal }, owner, name)
        return refused ?? found
      }
      if (found.kind !== 'none') return found
    }
    return { kind: 'none' }
  }

  return (request) => withTimeLimit(limit, (signal) => find(request, signal))
}

/**
 * The settings of a private `.github` repository are not for a public repository: everyone could read them there
 * (docs/rules.md#settings-file). Returns undefined if they may be used. GitHub calls internal repositories private too.
 */
async function refuseForPublicRepository(
  { app, now, signal }: { app: GithubApp; now: () => Date; signal: AbortSignal },
  owner: string,
  name: string,
): Promise<FoundFile | undefined> {
  for (const repo of [name, fallback]) {
    const request = { route: 'GET /repos/{owner}/{repo}', parameters: { owner, repo }, keepsRedirects: true, signal }
    const response = await app.requestForRepository({ owner, repo: name }, request)
    if (response.kind === 'not_installed') return { kind: 'none' }
    if (response.kind === 'failure') return failure(response.reason)
    if (isRateLimit(response)) return failure('rate limit', retryAfterSeconds(response, now().getTime()))
    const { data } = visibilitySchema.safeParse(response.body)
    if (response.status !== 200 || !data) return failure(`status ${response.status} to a question of visibility`)
    if (repo === name && data.private) return undefined
    if (repo !== name && data.private) return { kind: 'none' }
  }
  return undefined
}

interface Place {
  repository: string
  isOwn: boolean
  /** Whether the request had an ETag. */
  isConditional: boolean
  now: number
}

function readResponse(response: GithubResponse, { repository, isOwn, isConditional, now }: Place): FoundFile {
  if (response.kind === 'failure') return failure(response.reason)
  const { status } = response
  if (status === 200) return readFile(response.body, repository, response.headers.etag ?? null)
  if (status === 304 && isConditional) return { kind: 'unchanged' }
  if (isRateLimit(response)) return failure(`rate limit, status ${status}`, retryAfterSeconds(response, now))
  if (status === 404) return { kind: 'none' }
  // 403: the App may not read contents there, or not from here. 451: nobody may. Neither says that there is no file, and
  // neither ends soon.
  if (status === 403 || status === 451) return failure(`status ${status}`, refusedSeconds)
  // For a moment the name of the repository itself may be stale. A `.github` that was renamed does not count.
  if (status >= 300 && status < 400 && status !== 304 && !isOwn) return { kind: 'none' }
  return failure(`status ${status}`)
}

function failure(reason: string, retryAfterSeconds: number | null = null): FoundFile {
  return { kind: 'failure', reason, retryAfterSeconds }
}

function readFile(body: unknown, repository: string, etag: string | null): FoundFile {
  const parsed = fileSchema.safeParse(body)
  if (parsed.success) {
    return { kind: 'file', repository, sha: parsed.data.sha, etag, content: contentOf(parsed.data) }
  }
  if (!Array.isArray(body)) return failure('contents without a type and a sha')
  return { kind: 'file', repository, sha: '', etag, content: { fault: 'is a directory' } }
}

function contentOf({ type, size, encoding, content }: z.infer<typeof fileSchema>): FileContent {
  if (type !== 'file') return { fault: `is a ${type}, and has to be a file` }
  if (encoding === 'base64' && content !== undefined) return { bytes: Buffer.from(content, 'base64') }
  // GitHub sends no content of a file over 1 MiB.
  return { fault: size === undefined ? 'has no content' : `has ${size} bytes, which is too many` }
}

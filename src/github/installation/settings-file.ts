import { z } from 'zod'
import { settingsPath } from '../../settings/file.ts'
import type { FileContent, FindSettingsFile, FoundFile } from '../../settings/source.ts'
import { isRateLimit, retryAfterSeconds } from '../access/parse-access-response.ts'
import type { GithubResponse } from '../github-request.ts'
import type { GithubApp } from './app-client.ts'

const fileSchema = z.object({
  type: z.string(),
  sha: z.string(),
  size: z.int().optional(),
  encoding: z.string().optional(),
  content: z.string().optional(),
})

/** When to ask again after a refusal. */
const refusedSeconds = 600

/** The repository whose settings are in force in all of the owner's that have none of their own. */
const fallback = '.github'

/**
 * Finds a settings file by two plain contents calls (docs/rules.md#reading-settings): on the default branch of the
 * repository, else of the owner's `.github` repository. Both together end after `timeLimitMs`.
 */
export function createSettingsFinder(options: {
  app: GithubApp
  now: () => Date
  timeLimitMs: number
}): FindSettingsFile {
  const { app, now, timeLimitMs } = options

  return async function find({ owner, name, known }) {
    const signal = AbortSignal.timeout(timeLimitMs)
    const places = name.toLowerCase() === fallback ? [name] : [name, fallback]
    for (const place of places) {
      const repository = `${owner}/${place}`
      const etag = known?.repository === repository ? known.etag : null
      // A redirect would lead to a repository of another name, and maybe of another owner.
      const question = {
        route: `GET /repos/{owner}/{repo}/contents/${settingsPath}`,
        parameters: { owner, repo: place },
        etag,
        keepsRedirects: true,
        signal,
      }
      // The installation is always that of the repository itself: where the App is not installed, it reads nothing.
      const answer = await app.askForRepository({ owner, repo: name }, question)
      if (answer.kind === 'not_installed') return { kind: 'none' }
      const found = readAnswer(answer, {
        repository,
        isOwn: place === name,
        asked: etag !== null,
        now: now().getTime(),
      })
      if (found.kind !== 'none') return found
    }
    return { kind: 'none' }
  }
}

interface Place {
  repository: string
  isOwn: boolean
  /** Whether the question had a condition. */
  asked: boolean
  now: number
}

function readAnswer(answer: GithubResponse, { repository, isOwn, asked, now }: Place): FoundFile {
  if (answer.kind === 'failure') return failure(answer.reason)
  const { status } = answer
  if (status === 200) return readFile(answer.body, repository, answer.headers.etag ?? null)
  if (status === 304 && asked) return { kind: 'unchanged' }
  if (isRateLimit(answer)) return failure(`rate limit, status ${status}`, retryAfterSeconds(answer, now))
  if (status === 404) return { kind: 'none' }
  // 403: the App may not read contents there, or not from here; 451: nobody may. Neither says that there is no file, and
  // neither ends soon.
  if (status === 403 || status === 451) return failure(`status ${status}`, refusedSeconds)
  // The name of the repository itself is stale for a moment; a `.github` that has moved away is none.
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

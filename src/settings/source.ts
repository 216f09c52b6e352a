/** A file as it was found, or that there is none. */
export type FoundFile =
  /** `fault` instead of `bytes` where it is not a file whose text can be had. */
  | { kind: 'file'; repository: string; sha: string; etag: string | null; content: FileContent }
  /** As the ETag of the question knows it. */
  | { kind: 'unchanged' }
  /** No file in either place, or the App is not installed there. */
  | { kind: 'none' }
  /** Nobody could be asked, or GitHub refuses to say. */
  | { kind: 'failure'; reason: string; retryAfterSeconds: number | null }

export type FileContent = { bytes: Uint8Array } | { fault: string }

export interface FileQuestion {
  owner: string
  name: string
  /** Of the newest file that was read, and where it was found (`owner/name`). */
  known: { repository: string; etag: string } | null
}

/**
 * Looks for the settings file of a repository (docs/rules.md#reading-settings). Never throws; answers within seconds.
 */
export type FindSettingsFile = (question: FileQuestion) => Promise<FoundFile>

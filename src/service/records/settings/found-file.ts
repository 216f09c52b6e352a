/** GitHub's response to the request for the settings file. */
export type FoundFile =
  /** `content` has a `fault` if GitHub cannot return the text, such as for a directory. */
  | { kind: 'file'; repository: string; sha: string; etag: string | null; content: FileContent }
  /** The file still has the ETag of the request. */
  | { kind: 'unchanged' }
  /** Neither repository has the file, or the App is not installed there. */
  | { kind: 'none' }
  /** GitHub did not answer, or refused. */
  | { kind: 'failure'; reason: string; retryAfterSeconds: number | null }

export type FileContent = { bytes: Uint8Array } | { fault: string }

export interface FileRequest {
  owner: string
  name: string
  /** ETag of the newest file that was read, and the repository that had it (`owner/name`). */
  known: { repository: string; etag: string } | null
}

/** Looks for the settings file of a repository (docs/rules.md#reading-settings). Never throws; answers within seconds. */
export type FindSettingsFile = (request: FileRequest) => Promise<FoundFile>

/** A repository as GitHub returned it for the caller's token, with GitHub's current spelling of the names. */
export interface Repository {
  id: bigint
  owner: string
  name: string
  defaultBranch: string
  /** Whether everybody can see it. Absent: not known. */
  isPublic?: boolean
  /** `owner/name` of the repository that it was forked from, if the caller can see that one. */
  parent?: string | null
}

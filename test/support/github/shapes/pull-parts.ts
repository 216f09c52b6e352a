import { findAccount, type GithubData, type Repository } from '../data.ts'
import type { ChangedFile, Commit, Pull } from '../pull-data.ts'
import { accountShape, instant, type Links, nodeId } from './account.ts'

/** A file of a pull request or a comparison. Its URLs name the head, or the base if the file is removed. */
export function pullFileShape(
  { owner, name }: Repository,
  pull: Pick<Pull, 'baseSha' | 'headSha'>,
  file: ChangedFile,
  { api, web }: Links,
) {
  const ref = file.status === 'removed' ? pull.baseSha : pull.headSha
  const path = encodeURIComponent(file.path)
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${web}/${owner}/${name}/blob/${ref}/${path}`,
    raw_url: `${web}/${owner}/${name}/raw/${ref}/${path}`,
    contents_url: `${api}/repos/${owner}/${name}/contents/${path}?ref=${ref}`,
    ...(file.patch === null ? {} : { patch: file.patch }),
    ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
  }
}

/** A commit of a pull request. `parent` is the SHA of the one before. */
export function pullCommitShape(
  data: GithubData,
  { id, owner, name }: Repository,
  commit: Commit,
  parent: string,
  links: Links,
) {
  const { sha } = commit
  const api = `${links.api}/repos/${owner}/${name}`
  const web = `${links.web}/${owner}/${name}/commit`
  const account = commit.author === null ? undefined : findAccount(data, commit.author)
  const person = account === undefined ? null : accountShape(account, links)
  const who = { name: commit.author ?? 'Somebody', email: 'author@example.com' }
  return {
    sha,
    node_id: nodeId('C', id),
    commit: {
      author: { ...who, date: instant(commit.authoredAt) },
      committer: { ...who, date: instant(commit.committedAt) },
      message: commit.message,
      tree: { sha, url: `${api}/git/trees/${sha}` },
      url: `${api}/git/commits/${sha}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    url: `${api}/commits/${sha}`,
    html_url: `${web}/${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    author: person,
    committer: person,
    parents: [{ sha: parent, url: `${api}/commits/${parent}`, html_url: `${web}/${parent}` }],
  }
}

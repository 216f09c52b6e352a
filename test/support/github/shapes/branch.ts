import type { Repository } from '../data.ts'
import { instant, type Links, nodeId } from './account.ts'

export function branchShape({ owner, name }: Repository, branch: string, sha: string, { api }: Links) {
  const url = `${api}/repos/${owner}/${name}`
  return {
    name: branch,
    commit: { sha, url: `${url}/commits/${sha}` },
    protected: false,
    protection: { enabled: false, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } },
    protection_url: `${url}/branches/${encodeURIComponent(branch)}/protection`,
  }
}

export function wholeBranchShape(repository: Repository, branch: string, sha: string, links: Links) {
  const at = `${repository.owner}/${repository.name}`
  return {
    ...branchShape(repository, branch, sha, links),
    commit: commitShape(repository, sha, links),
    _links: {
      self: `${links.api}/repos/${at}/branches/${encodeURIComponent(branch)}`,
      html: `${links.web}/${at}/tree/${branch}`,
    },
  }
}

export function refShape({ id, owner, name }: Repository, branch: string, sha: string, { api }: Links) {
  const url = `${api}/repos/${owner}/${name}/git`
  return {
    ref: `refs/heads/${branch}`,
    node_id: nodeId('REF', id),
    url: `${url}/refs/heads/${branch}`,
    object: { sha, type: 'commit', url: `${url}/commits/${sha}` },
  }
}

export function commitShape({ id, owner, name, updatedAt }: Repository, sha: string, { api, web }: Links) {
  const url = `${api}/repos/${owner}/${name}`
  const person = { name: owner, email: 'author@example.com', date: instant(updatedAt) }
  return {
    sha,
    node_id: nodeId('C', id),
    commit: {
      author: person,
      committer: person,
      message: 'Work',
      tree: { sha, url: `${url}/git/trees/${sha}` },
      url: `${url}/git/commits/${sha}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    url: `${url}/commits/${sha}`,
    html_url: `${web}/${owner}/${name}/commit/${sha}`,
    comments_url: `${url}/commits/${sha}/comments`,
    author: null,
    committer: null,
    parents: [],
  }
}

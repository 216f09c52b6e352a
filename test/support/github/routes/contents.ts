import { createHash } from 'node:crypto'
import type { Repository } from '../data.ts'
import { mayUse } from '../permissions.ts'
import { type Call, failure, notAccessible, notFound, type Reply, type RepositoryRoute } from '../route.ts'

const largestShown = 1024 * 1024

export const contentsRoutes: readonly RepositoryRoute[] = ['/contents/{+path}', '/contents', '/contents/'].map(
  (path) => ({ method: 'GET', path, handle: readContents }),
)

/** Every branch has the files of the default branch. */
function readContents(call: Call, repository: Repository): Reply {
  const { data, token, params, url } = call
  if (!mayUse(data, token, repository, 'contents', 'read')) return notAccessible(token)
  const ref = (url.searchParams.get('ref') ?? repository.defaultBranch).replace(/^refs\/heads\//, '')
  if (!repository.branches.has(ref)) return failure(404, `No commit found for the ref ${ref}`)
  const path = (params.path ?? '').replace(/\/$/, '')
  const text = repository.files.get(path)
  if (text !== undefined) return file(call, repository, path, ref, text)
  const entries = entriesOf(repository, path)
  if (entries.length === 0 && path !== '') return notFound()
  const body = entries.map((entry) => entryShape(call, repository, entry.path, ref, entry))
  return { status: 200, body }
}

function file(call: Call, repository: Repository, path: string, ref: string, text: string): Reply {
  const size = Buffer.byteLength(text)
  if (/vnd\.github\.(?:v3\.)?raw/.test(call.headers.accept ?? '')) {
    return { status: 200, text, headers: { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' } }
  }
  const sha = blobSha(text)
  // GitHub breaks base64 into lines, and omits the content of files over 1 MiB.
  const content = Buffer.from(text).toString('base64').replaceAll(/.{60}/g, '$&\n')
  const isShown = size <= largestShown
  const shown = { encoding: isShown ? 'base64' : 'none', content: isShown && text !== '' ? `${content}\n` : '' }
  return { status: 200, body: { ...entryShape(call, repository, path, ref, { type: 'file', sha, size }), ...shown } }
}

interface Entry {
  path: string
  type: 'file' | 'dir'
  sha: string
  size: number
}

function entriesOf({ files }: Repository, directory: string): Entry[] {
  const prefix = directory === '' ? '' : `${directory}/`
  const entries = new Map<string, Entry>()
  for (const [path, text] of files) {
    if (!path.startsWith(prefix)) continue
    const [name = '', ...below] = path.slice(prefix.length).split('/')
    const isFile = below.length === 0
    const size = isFile ? Buffer.byteLength(text) : 0
    entries.set(name, { path: prefix + name, type: isFile ? 'file' : 'dir', sha: blobSha(isFile ? text : name), size })
  }
  return [...entries.values()].sort((left, right) => (left.path < right.path ? -1 : 1))
}

function entryShape(
  { links }: Call,
  { owner, name }: Repository,
  path: string,
  ref: string,
  { type, sha, size }: Omit<Entry, 'path'>,
) {
  const at = `${owner}/${name}`
  const self = `${links.api}/repos/${at}/contents/${encodeURI(path)}?ref=${encodeURIComponent(ref)}`
  const git = `${links.api}/repos/${at}/git/${type === 'file' ? 'blobs' : 'trees'}/${sha}`
  const html = `${links.web}/${at}/${type === 'file' ? 'blob' : 'tree'}/${encodeURI(`${ref}/${path}`)}`
  return {
    name: path.split('/').at(-1) ?? path,
    path,
    sha,
    size,
    url: self,
    html_url: html,
    git_url: git,
    download_url: type === 'file' ? `${links.web}/${at}/raw/${encodeURI(`${ref}/${path}`)}` : null,
    type,
    _links: { self, git, html },
  }
}

/** The blob id, as in git. */
function blobSha(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')
}

import type { RepositoryOfPage } from '../../http/page-paths.ts'

/** An address to link to: `http` or `https` without user information, else undefined. Other people wrote it. */
export function safeLink(url: string | null | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  const { protocol, username, password } = new URL(url)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' ? url : undefined
}

/** The address at which single sign-on is granted, out of GitHub's header; only at our own GitHub. */
export function ssoLink(header: string | null, githubUrl: string | undefined): string | undefined {
  const url = safeLink(/\burl=(\S+)/.exec(header ?? '')?.[1])
  if (!url || githubUrl === undefined || !URL.canParse(githubUrl)) return undefined
  return new URL(url).origin === new URL(githubUrl).origin ? url : undefined
}

/** The repository at GitHub. */
export function repositoryLink(githubUrl: string | undefined, { owner, repo }: RepositoryOfPage): string | undefined {
  return githubUrl === undefined ? undefined : safeLink(`${githubUrl}/${owner}/${repo}`)
}

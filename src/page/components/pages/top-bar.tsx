import type { ComponentChildren } from 'preact'
import type { RepositoryOfPage } from '../../../http/page-paths.ts'
import { signOut } from '../../client/session.ts'
import { repositoryLink } from '../../model/links.ts'

interface TopBarProps {
  repository?: RepositoryOfPage
  githubUrl?: string | undefined
  /** Who is signed in. */
  login?: string | null
  /** Called before the person signs out. */
  onLeave?(): void
  /** The mark of the connection. */
  children?: ComponentChildren
}

function leave(onLeave: (() => void) | undefined): void {
  // A stream that ends with the session would be requested again and refused.
  onLeave?.()
  void signOut().then(() => location.assign('/'))
}

/** The head of every page: the repository, the state of the connection, and the person. */
export function TopBar({ repository, githubUrl, login, onLeave, children }: TopBarProps) {
  const link = repository && repositoryLink(githubUrl, repository)
  return (
    <header class="top">
      <div class="top-inner">
        <a class="brand" href="/" aria-label="Headsup, start page">
          <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" />
            <path d="M9 7v18M23 7v8M9 16h10a4 4 0 0 1 4 4v5" />
          </svg>
          <span class="brand-name">Headsup</span>
        </a>
        {repository && (
          <h1 class="repository">
            {link ? (
              <a href={link} target="_blank" rel="noopener noreferrer" title="The repository at GitHub">
                <RepositoryTitle repository={repository} />
              </a>
            ) : (
              <RepositoryTitle repository={repository} />
            )}
          </h1>
        )}
        {children}
        <div class="top-end">
          {login && (
            <span class="account">
              <span class="login">@{login}</span>
              <button type="button" class="text-button" onClick={() => leave(onLeave)}>
                Sign out
              </button>
            </span>
          )}
        </div>
      </div>
    </header>
  )
}

function RepositoryTitle({ repository: { owner, repo } }: { repository: RepositoryOfPage }) {
  return (
    <>
      <span class="owner">{owner}/</span>
      <wbr />
      {repo}
    </>
  )
}

import type { ComponentChildren } from 'preact'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import { forgetRecent } from '../client/recent.ts'
import { signOut } from '../client/requests.ts'

interface TopBarProps {
  repository?: RepositoryOfPage
  /** Who is signed in. */
  login?: string | null
  /** Called before the person signs out. */
  onLeave?(): void
  /** The state of the connection. */
  children?: ComponentChildren
}

function leave(onLeave: (() => void) | undefined): void {
  // A stream that ends with the session would be requested again and refused.
  onLeave?.()
  forgetRecent()
  void signOut().then(() => location.assign('/'))
}

/** The head of every page: the repository, the state of the connection, and the person. */
export function TopBar({ repository, login, onLeave, children }: TopBarProps) {
  return (
    <header class="top">
      <a class="brand" href="/" aria-label="Headsup, start page">
        <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M9 7v18M23 7v8M9 16h10a4 4 0 0 1 4 4v5" />
        </svg>
        <span class="brand-name">Headsup</span>
      </a>
      {repository && (
        <h1 class="repository">
          <span class="owner">{repository.owner}/</span>
          <wbr />
          {repository.repo}
        </h1>
      )}
      {children}
      {login && (
        <span class="account">
          <span class="muted">@{login}</span>
          <button type="button" class="text-button" onClick={() => leave(onLeave)}>
            Sign out
          </button>
        </span>
      )}
    </header>
  )
}

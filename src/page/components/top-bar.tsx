import type { ComponentChildren } from 'preact'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import { forgetRecent } from '../client/recent.ts'
import { send } from '../client/requests.ts'

interface TopBarProps {
  repository?: RepositoryOfPage
  login?: string | null
  /** Called before the person signs out. */
  onLeave?(): void
  /** `ConnectionMark`, where something is followed. */
  children?: ComponentChildren
}

/** The shell names it, since only the service knows what its file is called. */
const logo = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.dataset.plain

function leave(onLeave: (() => void) | undefined): void {
  // A stream that ends with the session would be requested again and refused.
  onLeave?.()
  forgetRecent()
  void send('POST', '/-/session/end').then(() => location.assign('/'))
}

/** The head of every page: the repository, what a page adds, and the person. */
export function TopBar({ repository, login, onLeave, children }: TopBarProps) {
  return (
    <header class="flow top">
      <a class="flow brand" href="/" aria-label="Headsup, start page">
        <img src={logo} alt="" width={24} height={24} />
        {!repository && <strong>Headsup</strong>}
      </a>
      {repository && (
        <h1>
          <span class="muted">{repository.owner}/</span>
          <wbr />
          {repository.repo}
        </h1>
      )}
      {children}
      {login && (
        <span class="flow end account">
          <span class="muted">@{login}</span>
          <button type="button" class="text-button" onClick={() => leave(onLeave)}>
            Sign out
          </button>
        </span>
      )}
    </header>
  )
}

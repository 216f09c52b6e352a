import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import { firstView, followRepository, type LiveView } from '../client/follow-repository.ts'

export interface Live {
  view: LiveView
  /** Tries to connect at once. */
  retry(): void
  /** Closes the connection, before the person signs out. */
  stop(): void
}

/** Follows the repository while it is shown. */
export function useLive(repository: RepositoryOfPage, githubUrl: string | undefined): Live {
  const [view, setView] = useState(firstView)
  const github = useRef(githubUrl)
  github.current = githubUrl
  const retry = useRef(() => {})
  const stop = useRef(() => {})
  const { owner, repo } = repository
  useEffect(() => {
    const following = followRepository({ owner, repo, githubUrl: () => github.current, onChange: setView })
    retry.current = following.retry
    stop.current = following.stop
    // The browser reports a change of the network first.
    window.addEventListener('offline', following.check)
    window.addEventListener('online', following.retry)
    return () => {
      window.removeEventListener('offline', following.check)
      window.removeEventListener('online', following.retry)
      following.stop()
    }
  }, [owner, repo])
  return { view, retry: useCallback(() => retry.current(), []), stop: useCallback(() => stop.current(), []) }
}

import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { RetrievedActivity } from '../../activity/schema.ts'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import type { TheirFile } from '../../sentence/acts.ts'
import type { OwnPair } from '../../sentence/collision-words.ts'
import { firstView, followRepository, type LiveView } from '../client/follow-repository.ts'
import { askMine, type Mine } from '../client/lists.ts'
import { apiPath, send } from '../client/requests.ts'
import type { LiveState } from '../model/live-state.ts'

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

const everyMs = 60_000
/** The interval during the first reading of open pull requests. After an answer without the account it doubles. */
const soonerMs = 4_000
/** Changes that come together are asked about once, and not more often than this. */
const [soonMs, leastMs] = [300, 3_000]

interface MineOptions {
  repository: RepositoryOfPage
  /** What the stream says; a change of it leads to a new question. */
  state: LiveState | undefined
  isOn: boolean
  onSessionOver(): void
}

/** The viewer's own work, asked again when the stream says that something changed. Undefined until there is an answer. */
export function useMine({ repository, state, isOn, onSessionOver }: MineOptions): Mine | undefined {
  const { owner, repo } = repository
  const [mine, setMine] = useState<Mine>()
  const askedAt = useRef(0)
  const unknownMs = useRef(soonerMs)
  /** When the answer that is shown was asked for. */
  const shownSince = useRef(0)
  const isFirst = askedAt.current === 0
  const waitMs = Math.max(soonMs, askedAt.current + leastMs - Date.now())
  useEffect(() => {
    if (!isOn) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      const at = Date.now()
      askedAt.current = at
      const answer = await askMine({ owner, repo })
      const isAnswer = typeof answer === 'object'
      // Also where something has changed meanwhile: on a slow service no answer would ever count.
      if (isAnswer && at >= shownSince.current) {
        shownSince.current = at
        // An account that was known is no less so because GitHub does not say it now.
        setMine((before) => (answer.ids === null && before?.ids ? before : answer))
      }
      if (isOver) return
      if (answer === 401) return onSessionOver()
      timer = setTimeout(() => void ask(), nextMs(isAnswer ? answer : undefined))
    }
    const nextMs = (answer: Mine | undefined): number => {
      if (answer?.ids) return answer.observed.pull_requests === 'reading' ? soonerMs : everyMs
      unknownMs.current = Math.min(2 * unknownMs.current, everyMs)
      return unknownMs.current / 2
    }
    timer = setTimeout(() => void ask(), isFirst ? 0 : waitMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [owner, repo, isOn, state?.activities, state?.collisions, onSessionOver])
  return mine
}

/** Where the other side of the pair changes the file: its lines and GitHub's name for it. Undefined until it is known. */
export function useTheirFile({ owner, repo }: RepositoryOfPage, own: OwnPair | undefined): TheirFile | undefined {
  const [found, setFound] = useState<TheirFile>()
  const path = own?.pair.example_path ?? null
  const id = own?.theirs?.id
  const updatedAt = own?.theirs?.updated_at
  useEffect(() => {
    if (path === null || id === undefined) return
    let isOver = false
    const ask = async () => {
      const reply = await send<RetrievedActivity>('GET', apiPath(owner, repo, `/activity/${id}`))
      const file = reply.ok ? reply.body.changes?.files.find((one) => one.path === path) : undefined
      const pathHash = await sha256(path)
      if (!isOver) setFound({ path, pathHash, file })
    }
    void ask()
    return () => {
      isOver = true
    }
  }, [owner, repo, id, updatedAt, path])
  return found?.path === path ? found : undefined
}

/** In hexadecimal digits; undefined without TLS, where browsers compute none. */
async function sha256(text: string): Promise<string | undefined> {
  const digest = await globalThis.crypto?.subtle?.digest('SHA-256', new TextEncoder().encode(text))
  return digest && [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

import { useEffect, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import type { RetrievedActivity } from '../../core/schemas/activity.ts'
import type { TheirFile } from '../../core/texts/acts.ts'
import type { OwnPair } from '../../core/texts/collision-words.ts'
import { type Following, firstView, followRepository, type LiveView } from '../client/follow-repository.ts'
import { askMine, type Mine, type Refused } from '../client/lists.ts'
import { apiPath, send } from '../client/requests.ts'
import type { LiveState } from '../model/live-state.ts'

/** Follows the repository while it is shown. */
export function useLive(repository: RepositoryOfPage): { view: LiveView } & Pick<Following, 'retry' | 'stop'> {
  const [view, setView] = useState(firstView)
  const following = useRef<Following>(undefined)
  const [acts] = useState(() => ({ retry: () => following.current?.retry(), stop: () => following.current?.stop() }))
  useEffect(() => {
    const { check, retry, stop } = followRepository(repository, setView)
    following.current = { check, retry, stop }
    // The browser reports a change of the network first.
    window.addEventListener('offline', check)
    window.addEventListener('online', retry)
    return () => {
      window.removeEventListener('offline', check)
      window.removeEventListener('online', retry)
      stop()
    }
  }, [repository])
  return { view, ...acts }
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
  const [mine, setMine] = useState<Mine>()
  const askedAt = useRef(0)
  const unknownMs = useRef(soonerMs)
  /** When the answer that is shown was asked for. */
  const shownSince = useRef(0)
  const waitMs = askedAt.current === 0 ? 0 : Math.max(soonMs, askedAt.current + leastMs - Date.now())
  useEffect(() => {
    if (!isOn) return
    let isOver = false
    let timer = setTimeout(() => void ask(), waitMs)
    const ask = async () => {
      const at = Date.now()
      askedAt.current = at
      const answer = await askMine(repository).catch((error: Refused) => error)
      const found = answer instanceof Error ? undefined : answer
      // Also where something has changed meanwhile: on a slow service no answer would ever count.
      if (found && at >= shownSince.current) {
        shownSince.current = at
        // An account that was known is no less so because GitHub does not say it now.
        setMine((before) => (found.ids === null && before?.ids ? before : found))
      }
      if (isOver) return
      if (answer instanceof Error && answer.refusal?.status === 401) return onSessionOver()
      timer = setTimeout(() => void ask(), nextMs(found))
    }
    const nextMs = (answer: Mine | undefined): number => {
      if (answer?.ids) return answer.observed.pull_requests === 'reading' ? soonerMs : everyMs
      unknownMs.current = Math.min(2 * unknownMs.current, everyMs)
      return unknownMs.current / 2
    }
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [repository, isOn, state?.activities, state?.collisions, onSessionOver])
  return mine
}

/** Where the other side of the pair changes the file: its lines and GitHub's name for it. Undefined until it is known. */
export function useTheirFile(repository: RepositoryOfPage, own: OwnPair | undefined): TheirFile | undefined {
  const [found, setFound] = useState<TheirFile>()
  const path = own?.pair.example_path ?? null
  const { id, updated_at: updatedAt } = own?.theirs ?? {}
  useEffect(() => {
    if (path === null || id === undefined) return
    let isOver = false
    const ask = async () => {
      const reply = await send<RetrievedActivity>('GET', apiPath(repository, `/activity/${id}`))
      const file = reply.ok ? reply.body.changes?.files.find((one) => one.path === path) : undefined
      const pathHash = await sha256(path)
      if (!isOver) setFound({ path, pathHash, file })
    }
    void ask()
    return () => {
      isOver = true
    }
  }, [repository, id, updatedAt, path])
  return found?.path === path ? found : undefined
}

/** In hexadecimal digits; undefined without TLS, where browsers compute none. */
async function sha256(text: string): Promise<string | undefined> {
  const digest = await globalThis.crypto?.subtle?.digest('SHA-256', new TextEncoder().encode(text))
  return digest && [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

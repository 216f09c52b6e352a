import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import type { RetrievedActivity } from '../../core/schemas/activity.ts'
import type { TheirFile } from '../../core/texts/sentence/acts.ts'
import type { OwnPair } from '../../core/texts/sentence/sentence-parts.ts'
import { type Following, firstView, followRepository, type LiveView } from '../client/follow-repository.ts'
import { askMine, type Mine } from '../client/lists.ts'
import { apiPath, send } from '../client/requests.ts'
import type { LiveState } from '../model/live-state.ts'

export function useLive(repository: RepositoryOfPage): { view: LiveView; following: Following } {
  const [view, setView] = useState(firstView)
  const following = useMemo(() => followRepository(repository, setView), [repository])
  useEffect(() => {
    // The browser reports a change of the network first.
    window.addEventListener('offline', following.check)
    window.addEventListener('online', following.retry)
    return following.stop
  }, [following])
  return { view, following }
}

const everyMs = 60_000
/** The interval during the first reading of open pull requests. After an answer without the account it doubles. */
const soonerMs = 4_000
/** Changes that come together are asked about once, and not more often than this. */
const [soonMs, leastMs] = [300, 3_000]

/**
 * The viewer's own work, asked again when the stream says that something changed in `state`. Undefined until there is an answer.
 */
export function useMine(repository: RepositoryOfPage, state: LiveState | undefined, isOn: boolean): Mine | undefined {
  const [mine, setMine] = useState<Mine>()
  const asked = useRef({ at: 0, shown: 0, unknownMs: soonerMs })
  useEffect(() => {
    if (!isOn) return
    const { current } = asked
    const ask = async () => {
      const at = Date.now()
      current.at = at
      const found = await askMine(repository).catch(() => undefined)
      // Also where something has changed meanwhile: on a slow service no answer would ever count.
      if (found && at >= current.shown) {
        current.shown = at
        // An account that was known is no less so because GitHub does not say it now.
        setMine((before) => (found.ids === null && before?.ids ? before : found))
      }
      if (!isOver) timer = setTimeout(ask, nextMs(found))
    }
    const nextMs = (found: Mine | undefined): number => {
      if (found?.ids) return found.observed.pull_requests === 'reading' ? soonerMs : everyMs
      current.unknownMs = Math.min(2 * current.unknownMs, everyMs)
      return current.unknownMs / 2
    }
    let isOver = false
    let timer = setTimeout(ask, current.at === 0 ? 0 : Math.max(soonMs, current.at + leastMs - Date.now()))
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [repository, isOn, state?.activities, state?.collisions])
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

import { useEffect, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import { askMine, type Mine } from '../client/ask-mine.ts'
import type { LiveState } from '../model/live-state.ts'

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

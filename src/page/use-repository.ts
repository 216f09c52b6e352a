import { useEffect, useRef, useState } from 'preact/hooks'
import { apiOf, type Lists, Problem } from './api.ts'
import { type Follower, follow } from './follow.ts'

export interface Seen {
  /** Null until they were read once. */
  lists: Lists | null
  /** When they were read, in milliseconds of `Date.now()`. */
  readAt: number
  /** Why the last reading failed. */
  problem: Problem | null
}

/** The lists of a repository, kept true while the page is open. */
export function useRepository(repository: string) {
  const api = apiOf(repository)
  const [seen, setSeen] = useState<Seen>({ lists: null, readAt: 0, problem: null })
  const follower = useRef<Follower>(null)
  useEffect(() => {
    follower.current = follow(api.events, async () => {
      try {
        const lists = await api.lists()
        setSeen({ lists, readAt: Date.now(), problem: null })
      } catch (error) {
        const problem = error instanceof Problem ? error : new Problem('no_answer', 'The page failed. Reload it.')
        setSeen((before) => ({ ...before, problem }))
      }
    })
    return () => follower.current?.stop()
  }, [repository])
  return { api, seen, readSoon: () => follower.current?.soon() }
}

/** The time, which moves twice a minute: ages are words. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

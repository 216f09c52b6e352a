import { useCallback, useEffect, useState } from 'preact/hooks'
import { send } from '../client/requests.ts'
import { type Problem, problemOf } from '../model/problem.ts'

/** Who is signed in, and the ways to sign in. */
export interface BrowserSession {
  login: string | null
  ends_at: string | null
  ways: readonly ('github' | 'token')[]
}

export interface SessionView {
  /** Undefined until the service has answered. */
  session: BrowserSession | undefined
  problem: Problem | undefined
  /** Whether it ended while the page was open. */
  isOver: boolean
  end(): void
  reload(): void
}

/** The session of this browser. */
export function useSession(): SessionView {
  const [session, setSession] = useState<BrowserSession>()
  const [problem, setProblem] = useState<Problem>()
  const [isOver, setIsOver] = useState(false)
  const end = useCallback(() => setIsOver(true), [])

  const reload = useCallback(() => {
    void send<BrowserSession>('GET', '/-/session').then((reply) => {
      if (reply.ok) setSession(reply.body)
      setProblem(reply.ok ? undefined : problemOf(reply.refusal))
    })
  }, [])
  useEffect(reload, [reload])

  useEffect(() => {
    if (!session?.login || session.ends_at === null) return
    const left = Date.parse(session.ends_at) - Date.now()
    const timer = setTimeout(end, Math.min(Math.max(left, 0), 2 ** 31 - 1))
    return () => clearTimeout(timer)
  }, [session, end])

  return { session, problem, isOver, end, reload }
}

/** GitHub's web address, from the service. */
export function useGithubUrl(): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    void send<{ github_server_url: string }>('GET', '/api/v1').then((reply) => {
      if (reply.ok) setUrl(reply.body.github_server_url)
    })
  }, [])
  return url
}

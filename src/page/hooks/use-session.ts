import { useCallback, useEffect, useState } from 'preact/hooks'
import { type BrowserSession, fetchSession, send } from '../client/requests.ts'
import { offline, type Problem, problemOf } from '../model/problem.ts'

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
    void fetchSession().then((reply) => {
      if (reply.ok) setSession(reply.body)
      setProblem(reply.ok ? undefined : reply.refusal ? problemOf(reply.refusal, undefined) : offline)
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

interface ServiceInfo {
  github_server_url: string
}

/** GitHub's web address, from the service. */
export function useGithubUrl(): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    void send<ServiceInfo>('GET', '/api/v1').then((reply) => {
      if (reply.ok) setUrl(reply.body.github_server_url)
    })
  }, [])
  return url
}

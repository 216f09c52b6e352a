import { useCallback, useEffect, useState } from 'preact/hooks'
import { send } from '../client/requests.ts'
import type { Problem } from '../model/problem.ts'

/** Who is signed in, and the ways to sign in. */
export interface BrowserSession {
  login: string | null
  ways: readonly ('github' | 'token')[]
}

interface SessionView {
  /** Undefined until the service has answered. */
  session: BrowserSession | undefined
  problem: Problem | undefined
  reload(): void
}

/** The session of this browser. */
export function useSession(): SessionView {
  const [session, setSession] = useState<BrowserSession>()
  const [problem, setProblem] = useState<Problem>()
  const reload = useCallback(() => {
    void send<BrowserSession>('GET', '/-/session').then((reply) => {
      if (reply.ok) setSession(reply.body)
      setProblem(reply.ok ? undefined : reply.problem)
    })
  }, [])
  useEffect(reload, [reload])
  return { session, problem, reload }
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

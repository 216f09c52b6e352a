import { useCallback, useEffect, useState } from 'preact/hooks'
import { type ApiResponse, send } from '../client/requests.ts'

/** Who is signed in, and the ways to sign in. */
export interface BrowserSession {
  login: string | null
  ways: readonly ('github' | 'token')[]
}

/** What the service answers: asked once, and again by `reload`. */
function useAnswer<Body>(path: string) {
  const [answer, setAnswer] = useState<ApiResponse<Body>>()
  const reload = useCallback(() => void send<Body>('GET', path).then(setAnswer), [path])
  useEffect(reload, [reload])
  return { body: answer?.ok ? answer.body : undefined, problem: answer?.ok ? undefined : answer?.problem, reload }
}

/** The session of this browser. Undefined until the service has answered. */
export function useSession() {
  const { body: session, ...rest } = useAnswer<BrowserSession>('/-/session')
  return { session, ...rest }
}

/** GitHub's web address, from the service. */
export function useGithubUrl(): string | undefined {
  return useAnswer<{ github_server_url: string }>('/api/v1').body?.github_server_url
}

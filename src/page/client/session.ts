import { type ApiResponse, send } from './requests.ts'

/** Who is signed in, and the ways to sign in. */
export interface BrowserSession {
  login: string | null
  ends_at: string | null
  ways: readonly ('github' | 'token')[]
}

export function fetchSession(): Promise<ApiResponse<BrowserSession>> {
  return send('GET', '/-/session')
}

/** The person of a code of `headsup open`. Does not start a session. */
export function peekCode(code: string): Promise<ApiResponse<{ login: string }>> {
  return send('POST', '/-/session/enter', { body: { code, peek: true } })
}

export function signInWithCode(code: string): Promise<ApiResponse<BrowserSession>> {
  return send('POST', '/-/session/enter', { body: { code } })
}

export function signOut(): Promise<ApiResponse<undefined>> {
  return send('POST', '/-/session/end')
}

import { type Reply, send } from './requests.ts'

/** Who is signed in, and the ways to sign in. */
export interface Session {
  login: string | null
  ends_at: string | null
  ways: readonly ('github' | 'token')[]
}

export function readSession(): Promise<Reply<Session>> {
  return send('GET', '/-/session')
}

export function signInWithToken(token: string): Promise<Reply<Session>> {
  return send('POST', '/-/session', { body: { token } })
}

/** The person of a code of `headsup open`. Does not start a session. */
export function peekCode(code: string): Promise<Reply<{ login: string }>> {
  return send('POST', '/-/session/enter', { body: { code, peek: true } })
}

export function signInWithCode(code: string): Promise<Reply<Session>> {
  return send('POST', '/-/session/enter', { body: { code } })
}

export function signOut(): Promise<Reply<undefined>> {
  return send('POST', '/-/session/end')
}

import { AppError } from '../errors.ts'

/** The caller's GitHub token out of the `Authorization` header. Throws `unauthenticated` (decisions §7). */
export function bearerToken(header: string | undefined): string {
  const [, token] = /^Bearer +(\S.*)$/i.exec(header ?? '') ?? []
  if (token === undefined) {
    throw new AppError('unauthenticated', 'Send a GitHub token: Authorization: Bearer <token>.')
  }
  return token.trimEnd()
}

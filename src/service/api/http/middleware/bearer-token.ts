import { AppError } from '../../../../core/errors.ts'

/** Reads the token from the `Authorization` header; null without one. Octokit sends personal tokens as `token`. */
export function readBearer(header: string | undefined): string | null {
  const [, token] = /^(?:Bearer|token) +(\S.*)$/i.exec(header ?? '') ?? []
  return token?.trimEnd() ?? null
}

/** Reads the caller's GitHub token from the `Authorization` header (docs/rules.md#permissions). Throws `unauthenticated`. */
export function bearerToken(header: string | undefined): string {
  const token = readBearer(header)
  if (token === null) throw new AppError('unauthenticated', 'Send a GitHub token: Authorization: Bearer <token>.')
  return token
}

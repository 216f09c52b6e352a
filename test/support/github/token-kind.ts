export type TokenKind =
  | 'none'
  | 'classic'
  | 'fine-grained'
  | 'oauth'
  | 'app-user'
  | 'installation'
  /** A JWT that an App signed. */
  | 'app'
  | 'unknown'

const prefixes = {
  ghp_: 'classic',
  github_pat_: 'fine-grained',
  gho_: 'oauth',
  ghu_: 'app-user',
  ghs_: 'installation',
} as const

export function credentialsOf(authorization: string | undefined): string | undefined {
  return /^(?:bearer|token) +(\S+)$/i.exec(authorization ?? '')?.[1]
}

export function isJsonWebToken(credentials: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(credentials)
}

export function kindOf(credentials: string | undefined): TokenKind {
  if (credentials === undefined) return 'none'
  for (const [prefix, kind] of Object.entries(prefixes)) if (credentials.startsWith(prefix)) return kind
  return isJsonWebToken(credentials) ? 'app' : 'unknown'
}

/** Whether it may do only what it was granted, not all that its user may. */
export function isGranted(token: string): boolean {
  return ['fine-grained', 'app-user', 'installation'].includes(kindOf(token))
}

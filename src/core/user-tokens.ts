const tokenPattern = /^[\x21-\x7e]{1,8192}$/

/**
 * Whether a token fits into a header: visible ASCII, at most 8 KiB. GitHub may change its tokens' length and alphabet
 * within these bounds (docs/rules.md#user-tokens).
 */
export function canBeToken(token: string): boolean {
  return tokenPattern.test(token)
}

/**
 * Whether GitHub may say of this token that it has no `push` permission although it may write: it does so for installation
 * tokens and fine-grained personal tokens. Their writes need the write probe (docs/rules.md#write-probe).
 */
export function needsWriteProbe(token: string): boolean {
  return token.startsWith('ghs_') || token.startsWith('github_pat_')
}

import type { Octokit } from '@octokit/rest'

/** Follows how much of its limit at GitHub a token has left: from 0 to 1, as the last answer said. */
export function followLimit(octokit: Pick<Octokit, 'hook'>): () => number {
  let left = 1
  octokit.hook.after('request', ({ headers }) => {
    const [limit, remaining] = [Number(headers['x-ratelimit-limit']), Number(headers['x-ratelimit-remaining'])]
    if (limit > 0 && remaining >= 0) left = remaining / limit
  })
  return () => left
}

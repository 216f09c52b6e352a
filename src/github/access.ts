import { AppError, notFound } from '../errors.ts'
import type { Log } from '../log.ts'
import type { SeenRepository } from './answer.ts'
import { createGithubClient } from './client.ts'
import { createFlights } from './flights.ts'
import { canBeToken, isRepositoryName, repositoryNameKey, showsPermissionsWrong } from './names.ts'
import { createPermissionCache, type Sight } from './permission-cache.ts'
import { createQuestioner, type Question } from './questioner.ts'
import { createRefusals } from './refusals.ts'
import { createTokenStates } from './token-states.ts'

export type { SeenRepository } from './answer.ts'

/** Who asks, for what. `clientAddress` is the connection's. */
export interface AccessQuestion {
  token: string
  owner: string
  repo: string
  clientAddress: string
  requestId?: string
}

export interface GithubAccess {
  /**
   * The repository, if GitHub lets this token read it, or write to it (decisions §7). Throws AppError: `invalid_token`,
   * `not_found`, `forbidden`, `sso_required`, `github_rate_limited`, `github_unavailable`, `rate_limited`.
   */
  authorize(question: AccessQuestion & { need: 'read' | 'write' }): Promise<SeenRepository>
  /**
   * For a `pr_url` into another repository (decisions §2): its id if the token can see it, else null. Throws AppError
   * when GitHub fails to answer: `github_unavailable`, `github_rate_limited`, `rate_limited`, `invalid_token`.
   */
  lookUp(question: AccessQuestion): Promise<{ id: bigint } | null>
  /** An event said that permissions, visibility or names changed; `names` are all that it ever told, old and new. */
  forgetRepository(id: bigint, names?: readonly { owner: string; name: string }[]): void
  /** An installation of the App came, went or changed: whatever is known of this account's repositories goes. */
  forgetOwner(owner: string): void
  forgetAll(): void
}

export interface AccessLimits {
  /** How long one question to GitHub may take, and how long it may wait for its turn. */
  questionMs: number
  questionsAtOnce: number
  questionsWaiting: number
  refusedTokensPerMinute: number
  cachedAnswers: number
  rememberedTokens: number
  rememberedAddresses: number
}

const defaultLimits: AccessLimits = {
  questionMs: 5_000,
  questionsAtOnce: 50,
  questionsWaiting: 1_000,
  refusedTokensPerMinute: 20,
  cachedAnswers: 20_000,
  rememberedTokens: 20_000,
  rememberedAddresses: 10_000,
}

/** Asks GitHub what a caller's token may do (decisions §7). `apiUrl` may have a path (Enterprise Server); `now` in ms since 1970. */
export function createGithubAccess(options: {
  apiUrl: string
  permissionCacheMs: number
  log: Log
  now?: () => number
  limits?: Partial<AccessLimits>
}): GithubAccess {
  const { apiUrl, permissionCacheMs, log, now = Date.now } = options
  const limits = { ...defaultLimits, ...options.limits }
  const cache = createPermissionCache({ permissionCacheMs, entries: limits.cachedAnswers, now })
  const tokens = createTokenStates({ tokens: limits.rememberedTokens, now })
  const sightings = createFlights<Sight>()
  const probes = createFlights<boolean>()
  const questioner = createQuestioner({
    client: createGithubClient({ apiUrl, timeLimitMs: limits.questionMs }),
    tokens,
    refusals: createRefusals({
      perMinute: limits.refusedTokensPerMinute,
      addresses: limits.rememberedAddresses,
      now,
    }),
    limits,
    log,
    now,
    onRefused(tokenKey) {
      supersede(tokenKey)
      cache.forgetToken(tokenKey)
    },
  })

  function supersede(tokenKey?: string): void {
    sightings.supersede(tokenKey)
    probes.supersede(tokenKey)
  }

  async function see(question: Question): Promise<Sight> {
    const { tokenKey, owner, repo } = question
    const nameKey = repositoryNameKey(owner, repo)
    const held = cache.sight(tokenKey, nameKey)
    if (held?.believed) return held.sight
    questioner.admit(tokenKey, [question.address])
    return await sightings.join(`${tokenKey} ${nameKey}`, question, async (flight) => {
      const { sight, askedAt } = await questioner.readRepository(question, flight, held?.sight ?? null)
      if (flight.current) cache.keepSight({ tokenKey, nameKey, sight, askedAt })
      return sight
    })
  }

  async function probeWrite(question: Question, repository: SeenRepository): Promise<boolean> {
    const { tokenKey } = question
    const held = cache.mayWrite(tokenKey, repository.id)
    if (held !== null) return held
    questioner.admit(tokenKey, [question.address])
    return await probes.join(`${tokenKey} ${repository.id}`, question, async (flight) => {
      const { mayWrite, askedAt } = await questioner.probeWrite(question, flight, repository)
      if (flight.current) cache.keepWrite({ tokenKey, repositoryId: repository.id, mayWrite, askedAt })
      return mayWrite
    })
  }

  /** Throws `invalid_token` and, for a name that can't be, `not_found`, in this order (decisions §2). */
  function questionOf({ token, owner, repo, clientAddress, requestId }: AccessQuestion): Question {
    if (!canBeToken(token)) throw invalidToken()
    const tokenKey = tokens.keyOf(token)
    refuseInvalid(tokenKey)
    if (!isRepositoryName(owner, repo)) throw notFound()
    return { token, tokenKey, owner, repo, address: clientAddress, requestId }
  }

  // Asked again after every wait: a 401 wins over whatever else was answered meanwhile.
  function refuseInvalid(tokenKey: string): void {
    if (tokens.isRefused(tokenKey)) throw invalidToken()
  }

  return {
    async authorize(asked) {
      const question = questionOf(asked)
      const sight = await see(question)
      refuseInvalid(question.tokenKey)
      if (sight.kind === 'invisible') throw notFound()
      if (sight.kind === 'sso_required') throw ssoRequired(sight.sso)
      if (asked.need === 'read' || sight.push === true) return sight.repository
      if (sight.push === null || !showsPermissionsWrong(asked.token)) throw forbidden()
      const mayWrite = await probeWrite(question, sight.repository)
      refuseInvalid(question.tokenKey)
      if (!mayWrite) throw forbidden()
      return sight.repository
    },
    async lookUp(asked) {
      if (!isRepositoryName(asked.owner, asked.repo)) return null
      const question = questionOf(asked)
      const sight = await see(question)
      refuseInvalid(question.tokenKey)
      return sight.kind === 'seen' ? { id: sight.repository.id } : null
    },
    forgetRepository(id, names = []) {
      supersede()
      cache.forgetRepository(
        id,
        names.map(({ owner, name }) => repositoryNameKey(owner, name)),
      )
    },
    forgetOwner(owner) {
      supersede()
      cache.forgetOwner(owner)
    },
    forgetAll() {
      supersede()
      cache.forgetAll()
    },
  }
}

function invalidToken(): AppError {
  return new AppError('invalid_token', 'GitHub does not accept this token.')
}

function forbidden(): AppError {
  return new AppError('forbidden', 'This token may read the repository, but not write to it.')
}

function ssoRequired(sso: string): AppError {
  const message = 'GitHub wants this token authorized for single sign-on: see the X-GitHub-SSO header.'
  return new AppError('sso_required', message, { headers: { 'X-GitHub-SSO': sso } })
}

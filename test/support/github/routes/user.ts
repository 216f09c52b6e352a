import { findAccount } from '../data.ts'
import { failure, needsJsonWebToken, notAccessible, type Route } from '../route.ts'
import { userShape } from '../shapes/account.ts'

/** The user of the token. An installation token has none. */
export const userRoute: Route = {
  method: 'GET',
  path: '/user',
  handle({ data, links, token, isApp }) {
    if (isApp) return needsJsonWebToken()
    if (token === null) return failure(401, 'Requires authentication')
    const account = token.login === null ? undefined : findAccount(data, token.login)
    return account === undefined ? notAccessible(token) : { status: 200, body: userShape(account, links) }
  },
}

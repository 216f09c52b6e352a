import type { CookieOptions, Request, Response } from 'express'
import { AppError } from '../../../core/errors.ts'

/** Where a browser reaches the service. The prefix keeps other hosts and plain HTTP from setting the cookie. */
interface Place {
  name: string
  secure: boolean
}

/** Null over plain HTTP on another address than a loopback one: no cookie is safe there. */
function placeOf(request: Request, publicUrl: string | null): Place | null {
  const host = request.get('host')?.toLowerCase() ?? ''
  // Behind a proxy that is not trusted: were it plain HTTP after all, browsers would not take a secure cookie.
  const isPublic = publicUrl !== null && new URL(publicUrl).protocol === 'https:' && new URL(publicUrl).host === host
  if (request.secure || isPublic) return { name: '__Host-headsup', secure: true }
  if (!URL.canParse(`http://${host}`)) return null
  const { hostname, port } = new URL(`http://${host}`)
  const isLoopback = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  return isLoopback ? { name: `headsup-${port || '80'}`, secure: false } : null
}

/** Two cookies: the session, which only our own page sends, and a sign-in in progress, which comes back from GitHub. */
export function createCookies(publicUrl: string | null) {
  const nameOf = ({ name }: Place, kind: Kind) => (kind === 'session' ? name : `${name}-sign-in`)
  const place = (request: Request): Place => {
    const found = placeOf(request, publicUrl)
    if (found === null) throw new AppError('insecure', 'Signing in needs HTTPS, or a loopback address of this machine.')
    return found
  }
  const options = ({ secure }: Place, kind: Kind): CookieOptions => {
    return { httpOnly: true, secure, sameSite: kind === 'session' ? 'strict' : 'lax', path: '/' }
  }
  return {
    isPossible: (request: Request) => placeOf(request, publicUrl) !== null,
    /** `maxAge` in milliseconds; 0 clears it. Throws `insecure`. */
    set(request: Request, response: Response, kind: Kind, value: string, maxAge: number): void {
      const at = place(request)
      response.cookie(nameOf(at, kind), value, { ...options(at, kind), maxAge })
    },
    /** Null where it is missing, or there twice: one of the two is not ours. */
    read(request: Request, kind: Kind): string | null {
      const at = placeOf(request, publicUrl)
      if (at === null) return null
      const begin = `${nameOf(at, kind)}=`
      const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim())
      const [found, ...others] = pairs.filter((pair) => pair.startsWith(begin))
      return found === undefined || others.length > 0 ? null : found.slice(begin.length)
    },
  }
}

type Kind = 'session' | 'sign-in'

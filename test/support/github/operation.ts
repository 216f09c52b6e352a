import { readRepositoryPath } from './resolve.ts'
import { matchRoute } from './route.ts'
import { repositoryRoutes, routes } from './routes/all.ts'

/** The operation of a request without parameter names, such as `GET /repos/{}/{}/pulls/{}`; null for an unknown one. */
export function operationOf(method: string, pathname: string): string | null {
  const path = readRepositoryPath(pathname)
  const matched = path === null ? matchRoute(routes, method, pathname) : matchRoute(repositoryRoutes, method, path.rest)
  if (matched === null) return null
  return withoutNames(`${method} ${path === null ? '' : '/repos/{owner}/{repo}'}${matched.route.path}`)
}

export function withoutNames(operation: string): string {
  return operation.replaceAll(/\{[^}]*\}/g, '{}')
}

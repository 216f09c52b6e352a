import type { RepositoryRoute, Route } from '../route.ts'
import { repositoryRoute } from './repository.ts'

export const repositoryRoutes: readonly RepositoryRoute[] = [repositoryRoute]

export const routes: readonly Route[] = []

import type { RepositoryRoute, Route } from '../route.ts'
import { branchRoutes } from './branches.ts'
import { contentsRoutes } from './contents.ts'
import { pullRoutes } from './pulls.ts'
import { releaseNotesRoute } from './release-notes.ts'
import { repositoryRoute } from './repository.ts'

export const repositoryRoutes: readonly RepositoryRoute[] = [
  repositoryRoute,
  releaseNotesRoute,
  ...contentsRoutes,
  ...pullRoutes,
  ...branchRoutes,
]

export const routes: readonly Route[] = []

import type { RepositoryRoute, Route } from '../route.ts'
import { appRoutes, repositoryInstallationRoute } from './app.ts'
import { branchRoutes } from './branches.ts'
import { checkRoutes } from './checks.ts'
import { compareRoute } from './compare.ts'
import { contentsRoutes } from './contents.ts'
import { deliveryRoutes } from './deliveries.ts'
import { oauthRoutes } from './oauth.ts'
import { pullRoutes } from './pulls.ts'
import { releaseNotesRoute } from './release-notes.ts'
import { repositoryRoute } from './repository.ts'
import { userRoute } from './user.ts'

export const repositoryRoutes: readonly RepositoryRoute[] = [
  repositoryRoute,
  repositoryInstallationRoute,
  releaseNotesRoute,
  ...contentsRoutes,
  ...pullRoutes,
  ...branchRoutes,
  compareRoute,
  ...checkRoutes,
]

export const routes: readonly Route[] = [...appRoutes, ...deliveryRoutes, ...oauthRoutes, userRoute]

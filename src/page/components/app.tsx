import { repositoryOfPath } from '../../http/page-paths.ts'
import { EnterPage } from './enter-page.tsx'
import { RepositoryPage } from './repository-page.tsx'
import { StartPage } from './start-page.tsx'

/** The page of the address. */
export function App() {
  const repository = repositoryOfPath(location.pathname)
  if (repository) return <RepositoryPage repository={repository} />
  return location.pathname === '/-/enter' ? <EnterPage /> : <StartPage />
}

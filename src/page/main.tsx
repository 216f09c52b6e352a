import { render } from 'preact'
import { repositoryOfPath } from '../core/page-paths.ts'
import { RepositoryPage } from './components/repository-page.tsx'
import { EnterPage } from './components/sign-in.tsx'
import { StartPage } from './components/start-page.tsx'

const repository = repositoryOfPath(location.pathname)
const other = location.pathname === '/-/enter' ? <EnterPage /> : <StartPage />
const root = document.getElementById('app')
// Where a newer service has other files, what the shell says stays.
if (root && getComputedStyle(root).getPropertyValue('--ink') !== '') {
  root.replaceChildren()
  render(repository ? <RepositoryPage repository={repository} /> : other, root)
}

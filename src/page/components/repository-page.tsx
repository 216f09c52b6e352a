import { useEffect } from 'preact/hooks'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import { useGithubUrl } from '../hooks/use-service.ts'
import { useSession } from '../hooks/use-session.ts'
import { LiveRepository } from './live-repository.tsx'
import { ProblemView } from './problem-view.tsx'
import { SignIn } from './sign-in.tsx'
import { TopBar } from './top-bar.tsx'

/** The page of a repository: the sign-in, or for a signed-in person the work in flight. */
export function RepositoryPage({ repository }: { repository: RepositoryOfPage }) {
  const { owner, repo } = repository
  const view = useSession()
  const githubUrl = useGithubUrl()
  const { session, problem, reload } = view
  useEffect(() => {
    document.title = `${owner}/${repo} · Headsup`
  }, [owner, repo])

  if (session?.login) return <LiveRepository repository={repository} githubUrl={githubUrl} session={view} />
  return (
    <>
      <TopBar repository={repository} />
      <main class="single" id="main">
        {problem ? (
          <ProblemView problem={problem} repository={repository} onRetry={reload} />
        ) : session ? (
          <SignIn session={session} title={`Sign in to see what is going on in ${owner}/${repo}`} />
        ) : (
          <p class="loading" role="status">
            Loading …
          </p>
        )}
      </main>
    </>
  )
}

import { useEffect, useState } from 'preact/hooks'
import { pagePathOf, type RepositoryOfPage, repositoryOfPage } from '../../core/page-paths.ts'
import { figuresOf } from '../client/lists.ts'
import { readRecent } from '../client/recent.ts'
import { useSession } from '../hooks/use-session.ts'
import { ProblemView } from './problem-view.tsx'
import { SignIn } from './sign-in.tsx'
import { TopBar } from './top-bar.tsx'

/** What Headsup is, the recent repositories, and the sign-in. */
export function StartPage() {
  const { session, problem, reload } = useSession()
  const [recent] = useState(readRecent)
  const isSignedIn = Boolean(session?.login)
  const figures = useFigures(recent, isSignedIn)
  useEffect(() => {
    document.title = 'Headsup'
  }, [])
  return (
    <>
      <TopBar login={session?.login ?? null} />
      <main class="single start" id="main">
        <section class="intro stack">
          <h1>Know what is going on in a repository before you start</h1>
          <p class="muted">
            Headsup shows who works where, which changes will collide, and what to know first: open pull requests by
            themselves, and all that people and coding agents record.
          </p>
        </section>
        <div class="columns">
          <section class="box stack" aria-labelledby="open-title">
            <h2 id="open-title">Open a repository</h2>
            <OpenForm />
            {recent.length > 0 && (
              <>
                <h3>Looked at last</h3>
                <ul>
                  {recent.map((name) => (
                    <li class="flow" key={`${name.owner}/${name.repo}`}>
                      <a href={pagePathOf(name)}>
                        {name.owner}/{name.repo}
                      </a>
                      <span class="muted">{figures.get(name)}</span>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </section>
          {session && !isSignedIn && <SignIn session={session} title="Sign in" />}
          {problem && <ProblemView problem={problem} repository={undefined} onRetry={reload} />}
        </div>
        <nav class="flow" aria-label="Documentation">
          <a href="/docs">API reference</a>
          <a href="/api/v1/openapi.json">OpenAPI document</a>
          <a href="/llms.txt">For agents: llms.txt</a>
        </nav>
      </main>
    </>
  )
}

function OpenForm() {
  const [fault, setFault] = useState('')
  const open = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.target instanceof HTMLFormElement)) return
    const name = repositoryOfPage(String(new FormData(event.target).get('repository') ?? ''))
    if (name) location.assign(pagePathOf(name))
    else setFault('Write OWNER/REPO, or paste the address of the repository.')
  }
  return (
    <form class="line-form" onSubmit={open}>
      <label>
        <span class="visually-hidden">Repository</span>
        <input
          name="repository"
          required
          autocomplete="off"
          spellcheck={false}
          class="code-input"
          placeholder="owner/repository"
          aria-describedby="open-fault"
        />
      </label>
      <button type="submit" class="button button-main">
        Open
      </button>
      <p class="fault" id="open-fault" role="alert">
        {fault}
      </p>
    </form>
  )
}

/** How many repositories are asked about. */
const mostAsked = 5

/** What is said of each repository of the start page: `3 collide · 1 yours · freeze`. One is asked at a time. */
function useFigures(names: readonly RepositoryOfPage[], isOn: boolean): ReadonlyMap<RepositoryOfPage, string> {
  const [figures, setFigures] = useState<ReadonlyMap<RepositoryOfPage, string>>(new Map())
  useEffect(() => {
    if (!isOn) return
    let isOver = false
    const askAll = async () => {
      for (const name of names.slice(0, mostAsked)) {
        const text = await figuresOf(name)
        if (isOver) return
        setFigures((before) => new Map([...before, [name, text]]))
      }
    }
    void askAll()
    return () => {
      isOver = true
    }
  }, [names, isOn])
  return figures
}

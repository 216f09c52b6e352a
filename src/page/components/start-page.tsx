import { useEffect, useState } from 'preact/hooks'
import { pagePathOf, repositoryInText } from '../../core/page-paths.ts'
import { figuresOf } from '../client/lists.ts'
import { readRecent } from '../client/recent.ts'
import { useSession } from '../hooks/use-session.ts'
import { ProblemView } from './problem-view.tsx'
import { SignIn } from './sign-in.tsx'
import { TopBar } from './top-bar.tsx'

const recent = readRecent()
const mostAsked = 5

/** What Headsup is, the recent repositories, and the sign-in. */
export function StartPage() {
  const { session, problem, reload } = useSession()
  const isSignedIn = Boolean(session?.login)
  const [figures, setFigures] = useState<readonly string[]>([])
  useEffect(() => {
    document.title = 'Headsup'
    const next = recent.slice(0, mostAsked)[figures.length]
    if (isSignedIn && next) void figuresOf(next).then((text) => setFigures([...figures, text]))
  }, [isSignedIn, figures])
  return (
    <>
      <TopBar login={session?.login ?? null} />
      <main class="single start" id="main">
        <section class="stack">
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
                  {recent.map((name, index) => (
                    <li class="flow" key={pagePathOf(name)}>
                      <a href={pagePathOf(name)}>
                        {name.owner}/{name.repo}
                      </a>
                      <span class="muted">{figures[index]}</span>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </section>
          {session && !isSignedIn && <SignIn session={session} title="Sign in" />}
          {problem && <ProblemView problem={problem} onRetry={reload} />}
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
  const open = (form: HTMLFormElement) => {
    const name = repositoryInText(String(new FormData(form).get('repository')))
    if (name) location.assign(pagePathOf(name))
    else setFault('Write OWNER/REPO, or paste the address of the repository.')
  }
  return (
    <form
      class="flow"
      onSubmit={(event) => {
        event.preventDefault()
        open(event.currentTarget)
      }}
    >
      <input
        name="repository"
        required
        autocomplete="off"
        spellcheck={false}
        class="code-input grow"
        aria-label="Repository"
        placeholder="owner/repository"
        aria-describedby="open-fault"
      />
      <button type="submit" class="button button-main">
        Open
      </button>
      <p class="fault" id="open-fault" role="alert">
        {fault}
      </p>
    </form>
  )
}

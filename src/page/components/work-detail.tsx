import { useEffect, useState } from 'preact/hooks'
import type { Activity, RetrievedActivity } from '../../activity/schema.ts'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import { readableGlob } from '../../scope/glob/escape.ts'
import { isSafeName } from '../../sentence/acts.ts'
import { linesText, pullNumber } from '../../sentence/collision-words.ts'
import { apiPath, send } from '../client/requests.ts'
import { visibleText } from '../model/visible-text.ts'
import { sourceWords } from '../model/words.ts'
import { AskButton, CopyButton } from './parts/controls.tsx'
import { Age, Code, Text } from './parts/marks.tsx'

interface WorkDetailProps {
  repository: RepositoryOfPage
  activity: Activity
  isOpen: boolean
  isMine: boolean
  /** Whether the viewer may change it now. */
  mayChange: boolean
  isOnly: boolean
  onOnly(id: string): void
}

/** What one can do with one's own work, and, opened, all fields of it. */
export function WorkDetail(props: WorkDetailProps) {
  const { repository, activity, isOpen, isMine, mayChange, isOnly, onOnly } = props
  return (
    <div class="detail">
      {isMine && <div class="own-acts">{mayChange && <OwnActs repository={repository} activity={activity} />}</div>}
      {isOpen && (
        <>
          <Fields repository={repository} activity={activity} />
          <button type="button" class="text-button" onClick={() => onOnly(isOnly ? '' : activity.id)}>
            {isOnly ? 'Show all work' : 'Only this work and its collisions'}
          </button>
        </>
      )}
    </div>
  )
}

function OwnActs({ repository: { owner, repo }, activity }: Pick<WorkDetailProps, 'repository' | 'activity'>) {
  const { id, title, source, status } = activity
  const [fault, setFault] = useState('')
  const path = apiPath(owner, repo, `/activity/${id}`)
  const end = () => send('POST', `${path}/archive`, { body: {} })
  const name = visibleText(title)
  // The stream shows what became of it.
  const onDone = () => {}
  if (source !== 'recorded') {
    const confirm = 'Put it aside: others will not be warned of it'
    return <AskButton label="Put aside until its next push" name={name} confirm={confirm} act={end} onDone={onDone} />
  }
  const number = pullNumber(activity)
  const isPaused = status === 'paused'
  const pause = async () => {
    const reply = await send('PATCH', path, { body: { status: isPaused ? 'active' : 'paused' } })
    setFault(reply.ok ? '' : (reply.refusal?.message ?? 'The service does not answer.'))
  }
  const confirm = number === undefined ? 'It is done' : `It is done: it counts again as #${number}`
  return (
    <>
      <AskButton label="Done" name={name} confirm={confirm} act={end} onDone={onDone} />
      <button type="button" class="text-button" aria-label={`${isPaused ? 'Resume' : 'Pause'} ${name}`} onClick={pause}>
        {isPaused ? 'Resume' : 'Pause'}
      </button>
      {fault && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </>
  )
}

const mostFiles = 20

/** All fields. The changed files are requested when it is opened. */
function Fields({ repository: { owner, repo }, activity }: Pick<WorkDetailProps, 'repository' | 'activity'>) {
  const { id, updated_at, summary, source, branch, base_branch, expires_at, changes } = activity
  const [detail, setDetail] = useState<RetrievedActivity>()
  useEffect(() => {
    void send<RetrievedActivity>('GET', apiPath(owner, repo, `/activity/${id}`)).then((reply) => {
      // A record that has changed since is requested again.
      if (reply.ok && reply.body.updated_at >= updated_at) setDetail(reply.body)
    })
  }, [owner, repo, id, updated_at])
  const files = detail?.changes?.files ?? []
  // The stream has only the first paths of a large scope.
  const { scope } = detail ?? activity
  const paths = source === 'recorded' ? scope.paths.map(readableGlob) : []
  return (
    <>
      <p>
        <Text>{summary}</Text>
      </p>
      <dl>
        <dt>Known by</dt>
        <dd>{source === 'recorded' ? 'somebody’s record' : `GitHub: ${sourceWords[source].toLowerCase()}`}</dd>
        {branch !== null && (
          <>
            <dt>Branch</dt>
            <dd>
              <Code>{branch}</Code>
              {isSafeName(branch) && <CopyButton text={branch} label="Copy the branch" />}
              {base_branch !== null && (
                <>
                  into <Code>{base_branch}</Code>
                </>
              )}
            </dd>
          </>
        )}
        {paths.length > 0 && (
          <>
            <dt>Paths</dt>
            <dd class="words">
              {paths.map((path) => (
                <Code key={path}>{path}</Code>
              ))}
            </dd>
          </>
        )}
        {changes && (
          <>
            <dt>Changes</dt>
            <dd>
              {changes.files_total} {changes.files_total === 1 ? 'file' : 'files'}
              <ul>
                {files.slice(0, mostFiles).map(({ path, status, lines }) => (
                  <li key={path}>
                    <Code>{path}</Code>{' '}
                    <span class="muted">{status === 'modified' ? linesText(lines, 5) : status}</span>
                  </li>
                ))}
                {files.length > mostFiles && <li class="muted">and {files.length - mostFiles} more</li>}
              </ul>
            </dd>
          </>
        )}
        {source === 'recorded' && (
          <>
            <dt>Ends</dt>
            <dd>
              <Age at={expires_at} isAhead />, unless something is heard of it before
            </dd>
          </>
        )}
      </dl>
    </>
  )
}

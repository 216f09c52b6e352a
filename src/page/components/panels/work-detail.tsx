import { useEffect, useState } from 'preact/hooks'
import type { Activity, RetrievedActivity } from '../../../activity/schema.ts'
import type { RepositoryOfPage } from '../../../http/page-paths.ts'
import { readableGlob } from '../../../scope/glob/escape.ts'
import { linesText } from '../../../sentence/collision-words.ts'
import { apiPath, send } from '../../client/requests.ts'
import { sourceWords } from '../../model/describe.ts'
import { Until } from '../parts/age.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Code, Text } from '../parts/text.tsx'

interface WorkDetailProps {
  repository: RepositoryOfPage
  activity: Activity
  isOnly: boolean
  onOnly(id: string): void
}

const mostFiles = 20

/** All fields of one activity. The changed files are requested when it is opened. */
export function WorkDetail({ repository: { owner, repo }, activity, isOnly, onOnly }: WorkDetailProps) {
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
    <div class="detail">
      <p class="detail-summary">
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
              <CopyButton text={branch} label="Copy the branch" />
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
            <dd class="detail-paths">
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
              <ul class="files">
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
              <Until at={expires_at} />, unless something is heard of it before
            </dd>
          </>
        )}
      </dl>
      <button type="button" class="text-button" onClick={() => onOnly(isOnly ? '' : id)}>
        {isOnly ? 'Show all work' : 'Only this work and its collisions'}
      </button>
    </div>
  )
}

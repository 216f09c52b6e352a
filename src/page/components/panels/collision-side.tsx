import type { Activity } from '../../../activity/schema.ts'
import { pullNumber, whoText } from '../../../sentence/collision-words.ts'
import { sourceWords } from '../../model/describe.ts'
import { filesLink } from '../../model/links.ts'
import { visibleText } from '../../model/visible-text.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { OutLink } from '../parts/link.tsx'
import { SourceMark } from '../parts/marks.tsx'
import { Code, Text } from '../parts/text.tsx'

interface CollisionSideProps {
  /** Undefined where the page has only the activity's id. */
  activity: Activity | undefined
  id: string
  onShow(activityId: string): void
}

/** One of the two activities of a pair: who, what, its branch to copy, and its pull request. */
export function CollisionSide({ activity, id, onShow }: CollisionSideProps) {
  if (!activity) {
    return (
      <div class="side">
        <span class="side-line side-who">Other work</span>
        <span class="side-line side-links">
          <span class="branch">
            <Code>{id}</Code>
          </span>
        </span>
      </div>
    )
  }
  const number = pullNumber(activity)
  const files = filesLink(activity.pr_url)
  return (
    <div class={`side side-${activity.source}`}>
      <span class="side-line">
        <SourceMark activity={activity} hasWord={false} />
        <span class="side-who">
          <Text>{whoText(activity)}</Text>
        </span>
        <button type="button" class="link-button side-title" onClick={() => onShow(activity.id)}>
          <Text>{activity.title}</Text>
        </button>
      </span>
      <span class="side-line side-links">
        {activity.source === 'branch' && sourceWords.branch}
        {activity.branch !== null && (
          <span class="branch" title={visibleText(activity.branch)}>
            <Code>{activity.branch}</Code>
            <CopyButton text={activity.branch} label={`Copy the branch ${visibleText(activity.branch)}`} />
          </span>
        )}
        {files && <OutLink href={files}>{number === undefined ? 'Pull request' : `#${number} diff`}</OutLink>}
      </span>
    </div>
  )
}

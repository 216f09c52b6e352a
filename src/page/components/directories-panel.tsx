import type { Directory } from '../model/board.ts'
import { visibleText } from '../model/visible-text.ts'
import { Panel } from './parts/controls.tsx'
import { Text } from './parts/text.tsx'

interface DirectoriesPanelProps {
  directories: readonly Directory[]
  /** The path that the page is filtered by. */
  path: string
  onPath(path: string): void
}

/** The dozen busiest directories. A click filters by one. */
export function DirectoriesPanel({ directories, path, onPath }: DirectoriesPanelProps) {
  return (
    <Panel id="where" title="Where">
      {directories.length === 0 ? (
        <p class="empty">Nobody has named a path yet.</p>
      ) : (
        <ul class="directories">
          {directories.map((one) => (
            <li key={one.path}>
              <button
                type="button"
                class="directory"
                aria-pressed={one.path === path}
                title={`Only work in ${visibleText(one.path)}`}
                onClick={() => onPath(one.path === path ? '' : one.path)}
              >
                <code>
                  <Text>{`${one.path}/`}</Text>
                </code>
                <span class="directory-counts">
                  {one.collisions > 0 && <span class="warn">{one.collisions} collide</span>} {one.count} at work
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

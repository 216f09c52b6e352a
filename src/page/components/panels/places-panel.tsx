import { useState } from 'preact/hooks'
import { foldQuiet, type PlaceNode } from '../../model/place-tree.ts'
import { visibleText } from '../../model/visible-text.ts'
import { Icon } from '../parts/icon.tsx'
import { Empty, Panel } from '../parts/panel.tsx'
import { Text } from '../parts/text.tsx'

interface PlacesProps {
  /** The path that the table is filtered by. */
  path: string
  onPath(path: string): void
}

interface PlacesPanelProps extends PlacesProps {
  root: PlaceNode
  /** Whether filters other than the path are set. */
  isFiltered: boolean
}

/** The places where people are at work, and where work collides. */
export function PlacesPanel({ root, isFiltered, path, onPath }: PlacesPanelProps) {
  return (
    <Panel id="places" title="Places" actions={root.children.length > 0 && <Legend />}>
      {root.children.length === 0 ? (
        <Empty>{isFiltered ? 'No place passes the filters.' : 'Nobody has named a path yet.'}</Empty>
      ) : (
        <div class="places">
          <PlaceList nodes={root.children} most={6} depth={0} total={root.count} path={path} onPath={onPath} />
        </div>
      )}
    </Panel>
  )
}

interface PlaceListProps extends PlacesProps {
  nodes: readonly PlaceNode[]
  most: number
  depth: number
  /** The number of all activities, for the length of the bars. */
  total: number
}

function PlaceList({ nodes, most, depth, total, path, onPath }: PlaceListProps) {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const { shown, folded } = foldQuiet(nodes, most)
  const list = isUnfolded ? nodes : shown
  return (
    <ul class="place-list">
      {list.map((node) => (
        <PlaceItem key={node.path} node={node} depth={depth} total={total} path={path} onPath={onPath} />
      ))}
      {folded.length > 0 && (
        <li>
          <button
            type="button"
            class="text-button more"
            aria-expanded={isUnfolded}
            onClick={() => setIsUnfolded(!isUnfolded)}
          >
            {isUnfolded ? 'Show fewer' : `${folded.length} more`}
          </button>
        </li>
      )}
    </ul>
  )
}

interface PlaceItemProps extends PlacesProps {
  node: PlaceNode
  depth: number
  total: number
}

function PlaceItem({ node, depth, total, path, onPath }: PlaceItemProps) {
  const hasChildren = node.children.length > 0
  const [isOpen, setIsOpen] = useState(depth === 0 || node.collisions > 0)
  const isChosen = node.path === path
  const name = visibleText(node.name)
  const counts = `${node.count} at work${node.collisions > 0 ? `, ${node.collisions} ${node.collisions === 1 ? 'collision' : 'collisions'}` : ''}`
  return (
    <li>
      <div class={`place${node.collisions > 0 ? ' place-collides' : ''}`}>
        {hasChildren ? (
          <button
            type="button"
            class="place-toggle"
            aria-expanded={isOpen}
            aria-label={`What is in ${name}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon name="chevron" />
          </button>
        ) : (
          <span class="place-leaf">
            <Icon name={node.name.endsWith('/') ? 'folder' : 'file'} />
          </span>
        )}
        <button
          type="button"
          class="place-name"
          aria-pressed={isChosen}
          title={`Only work in ${visibleText(node.path)}`}
          onClick={() => onPath(isChosen ? '' : node.path)}
        >
          <code>
            <Text>{node.name}</Text>
          </code>
          <span class="visually-hidden">: {counts}</span>
        </button>
        <span class="place-count" aria-hidden="true" title={counts}>
          {node.collisions > 0 && <span class="place-collisions">{node.collisions}</span>}
          <PlaceBar node={node} total={total} />
          {node.count}
        </span>
      </div>
      {hasChildren && isOpen && (
        <PlaceList nodes={node.children} most={4} depth={depth + 1} total={total} path={path} onPath={onPath} />
      )}
    </li>
  )
}

function PlaceBar({ node: { count }, total }: { node: PlaceNode; total: number }) {
  const width = Math.max(2, Math.round((40 * count) / Math.max(total, 1)))
  return (
    <svg class="place-bar" viewBox="0 0 40 6" aria-hidden="true">
      <rect class="place-bar-back" width="40" height="6" rx="3" />
      <rect class="place-bar-fill" width={width} height="6" rx="3" />
    </svg>
  )
}

function Legend() {
  return (
    <span class="legend">
      <span class="place-collisions">collisions</span> at work
    </span>
  )
}

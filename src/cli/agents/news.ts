import type { Overlap } from '../../core/schemas/overlap.ts'
import { introduction } from '../../core/texts/quote.ts'
import { plain } from '../print/plain.ts'

export interface News {
  lines: string[]
  /** Of what is not told again in this session. */
  ids: string[]
}

/** What a model is told after a tool: the worst alone, and nothing twice in a session. */
export function newsOf({ collisions, notables }: Overlap, told: readonly string[]): News {
  const blocking = notables.filter((notable) => notable.blocking)
  const high = collisions.filter(({ severity }) => severity === 'high')
  return newOnes([...blocking, ...high.map(collisionLine)], told)
}

/**
 * What a model is told when its session begins: grave notables, and all that collides with its branch. What becomes worse after that
 * is news.
 */
export function briefingOf(overlap: Overlap): News {
  const { collisions, notables } = overlap
  const grave = notables.filter(({ blocking, importance }) => blocking || importance === 'critical')
  const { lines } = newOnes([...grave, ...collisions.map(collisionLine)], [])
  return { lines, ids: newsOf(overlap, []).ids }
}

interface Line {
  id: string
  text: string
}

const collisionLine = ({ activity_id: id, text }: Overlap['collisions'][number]): Line => ({ id, text })

const mostLines = 5

function newOnes(all: readonly Line[], told: readonly string[]): News {
  const lines = all.filter(({ id }) => !told.includes(id))
  const more = lines.length - mostLines
  return {
    ids: lines.map(({ id }) => id),
    lines: [
      ...lines.slice(0, mostLines).map(({ id, text }) => plain(`${text} (${id})`)),
      ...(more > 0 ? [`And ${more} more: \`headsup check\` lists them.`] : []),
    ],
  }
}

/** Claude Code reads at most 10,000 characters. */
const longest = 9_000

/**
 * The text for a model: facts, and other people's words introduced as such. No advice: models take orders in their context for an
 * attack. Only whole lines, so that each quotation ends.
 */
export function textForModel(lines: readonly string[]): string {
  let text = `Headsup: work in flight in this repository. ${introduction}`
  for (const line of lines) {
    if (text.length + line.length + 1 > longest) break
    text += `\n${line}`
  }
  return text
}

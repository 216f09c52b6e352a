import { type Json, records, text } from './client/json.ts'
import { plain } from './plain-text.ts'
import { painter, type Terminal } from './terminal.ts'

const styles = { high: 'red', medium: 'yellow', low: 'yellow' } as const

/** The answer of a check for a person. */
export function printOverlap(terminal: Terminal, overlap: Json): void {
  const paint = painter(terminal)
  const severity = text(overlap, 'severity')
  const style = Object.entries(styles).find(([word]) => word === severity)?.[1] ?? 'yellow'
  const head =
    overlap.overlap_detected === true
      ? paint(style, `Overlap, ${plain(severity ?? 'low')} severity.`)
      : paint('green', 'No overlap.')
  terminal.out(`${head} ${plain(text(overlap, 'reason') ?? '')}`)
  terminal.out(`${paint('bold', 'Next:')} ${plain(text(overlap, 'recommended_action') ?? '')}`)
  for (const reuse of records(overlap, 'reuse_opportunities')) {
    const where = text(reuse, 'pr_url') ?? text(reuse, 'branch') ?? text(reuse, 'activity_id') ?? ''
    terminal.out(paint('dim', `Merged lately: ${plain(text(reuse, 'title') ?? '')} (${plain(where)})`))
  }
}

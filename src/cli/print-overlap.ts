import { type Json, recordList, textField } from './client/json.ts'
import { plain } from './plain-text.ts'
import { painter, type Terminal } from './terminal.ts'

const styles = { high: 'red', medium: 'yellow', low: 'yellow' } as const

/** The answer of a check for a person. */
export function printOverlap(terminal: Terminal, overlap: Json): void {
  const paint = painter(terminal)
  const severity = textField(overlap, 'severity')
  const style = Object.entries(styles).find(([word]) => word === severity)?.[1] ?? 'yellow'
  const head =
    overlap.overlap_detected === true
      ? paint(style, `Overlap, ${plain(severity ?? 'low')} severity.`)
      : paint('green', 'No overlap.')
  terminal.out(`${head} ${plain(textField(overlap, 'reason') ?? '')}`)
  terminal.out(`${paint('bold', 'Next:')} ${plain(textField(overlap, 'recommended_action') ?? '')}`)
  for (const reuse of recordList(overlap, 'reuse_opportunities')) {
    const where = textField(reuse, 'pr_url') ?? textField(reuse, 'branch') ?? textField(reuse, 'activity_id') ?? ''
    terminal.out(paint('dim', `Merged lately: ${plain(textField(reuse, 'title') ?? '')} (${plain(where)})`))
  }
}

import { quoted } from '../overlap/quote.ts'
import { type Json, recordList, textField } from './client/json.ts'
import { plain, plainLines } from './plain-text.ts'
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
  printLines(terminal, head, textField(overlap, 'reason') ?? '')
  printLines(terminal, paint('bold', 'Next:'), textField(overlap, 'recommended_action') ?? '')
  for (const reuse of recordList(overlap, 'reuse_opportunities')) {
    const branch = textField(reuse, 'branch')
    const where = textField(reuse, 'pr_url') ?? (branch && quoted(branch)) ?? textField(reuse, 'activity_id') ?? ''
    terminal.out(paint('dim', `Merged lately: ${quoted(textField(reuse, 'title') ?? '')} (${plain(where)})`))
  }
}

/** The first line stands beside the head, the others stand indented below. */
function printLines(terminal: Terminal, head: string, text: string): void {
  const [first = '', ...others] = plainLines(text)
  terminal.out(`${head} ${first}`)
  for (const line of others) terminal.out(`  ${line}`)
}

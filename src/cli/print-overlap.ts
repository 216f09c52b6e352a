import { quoted } from '../overlap/quote.ts'
import { type ParentOverlap, parentHeading } from './client/check-parent.ts'
import { type Json, recordList, textField } from './client/json.ts'
import { plain, plainLines } from './plain-text.ts'
import { createStyler, type Terminal } from './terminal.ts'

/** Prints the response of a check for a person, and what was found in the parent of a fork. */
export function printOverlap(terminal: Terminal, overlap: Json, parent?: ParentOverlap): void {
  printOne(terminal, overlap)
  if (!parent) return
  terminal.out(parentHeading(parent))
  printOne(terminal, parent.overlap)
}

function printOne(terminal: Terminal, overlap: Json): void {
  const style = createStyler(terminal)
  const severity = textField(overlap, 'severity')
  const colour = severity === 'high' ? 'red' : 'yellow'
  const head =
    overlap.overlap_detected === true
      ? style(colour, `Overlap, ${plain(severity ?? 'low')} severity.`)
      : style('green', 'No overlap.')
  printLines(terminal, head, textField(overlap, 'reason') ?? '')
  printLines(terminal, style('bold', 'Next:'), textField(overlap, 'recommended_action') ?? '')
  for (const reuse of recordList(overlap, 'reuse_opportunities')) {
    const branch = textField(reuse, 'branch')
    const where = textField(reuse, 'pr_url') ?? (branch && quoted(branch)) ?? textField(reuse, 'activity_id') ?? ''
    terminal.out(style('dim', `Merged recently: ${quoted(textField(reuse, 'title') ?? '')} (${plain(where)})`))
  }
}

/** Prints the first line beside the head, and the others indented below it. */
function printLines(terminal: Terminal, head: string, text: string): void {
  const [first = '', ...others] = plainLines(text)
  terminal.out(`${head} ${first}`)
  for (const line of others) terminal.out(`  ${line}`)
}

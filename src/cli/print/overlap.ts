import type { Overlap } from '../../core/schemas/overlap.ts'
import { quoted } from '../../core/texts/quote.ts'
import type { Doubt } from '../own-work/proposal.ts'
import type { Terminal } from '../terminal.ts'
import { plain, plainLines } from './plain.ts'

/** Where it is printed. */
type Printer = Pick<Terminal, 'out' | 'isInteractive' | 'env'>

type Colour = 'red' | 'yellow' | 'green'
const codes = { red: 31, yellow: 33, green: 32 } as const

/** Colour for people alone, who may have switched it off. */
function coloured(text: string, colour: Colour, { isInteractive, env }: Printer): string {
  return isInteractive && !env.NO_COLOR && env.TERM !== 'dumb' ? `\x1b[${codes[colour]}m${text}\x1b[0m` : text
}

/** Prints an answer for people: what was found, what was tried beside it, and what to do. */
export function printOverlap(
  terminal: Printer,
  overlap: Overlap,
  { doubts, tried }: { doubts: readonly Doubt[]; tried: readonly string[] },
): void {
  const [head, colour] = headOf(overlap, doubts)
  terminal.out(coloured(head, colour, terminal))
  const printed = new Set<string>()
  // Both texts of the service may begin with the same introduction of other people's words.
  const indented = (line: string) => {
    if (!printed.has(line)) terminal.out(`  ${line}`)
    printed.add(line)
  }
  plainLines(overlap.reason).forEach(indented)
  tried.forEach(indented)
  // What the service advises where nothing stands in its way is to go ahead, and that is not known here.
  const advice = overlap.clear && doubts.length > 0 ? [] : plainLines(overlap.recommended_action)
  terminal.out('Next:')
  for (const line of [...advice, ...doubts.map(({ text }) => plain(text))]) indented(line)
  for (const { title, pr_url, activity_id, reason } of overlap.reuse_opportunities) {
    // What has a pull request may be a stranger's, of whom nothing is quoted but number and login.
    const what = pr_url === null ? `${quoted(title)} (${activity_id})` : plain(pr_url)
    indented(`Merged lately: ${what}. ${plain(reason)}`)
  }
}

function headOf({ overlap_detected, severity, clear }: Overlap, doubts: readonly Doubt[]): [string, Colour] {
  if (overlap_detected) return [`Overlap, ${severity} severity.`, severity === 'high' ? 'red' : 'yellow']
  return clear && doubts.length === 0 ? ['No overlap.', 'green'] : ['No overlap is known.', 'yellow']
}

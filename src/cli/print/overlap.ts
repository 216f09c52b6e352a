import type { Overlap } from '../../core/schemas/overlap.ts'
import { quoted } from '../../core/texts/quote.ts'
import type { Doubt } from '../own-work/proposal.ts'
import { plain, plainLines } from './plain.ts'

/** An answer for people: what was found, what was tried beside it, and what to do. */
export function overlapLines(overlap: Overlap, doubts: readonly Doubt[], tried: readonly string[] = []): string[] {
  // What the service advises where nothing stands in its way is to go ahead, and that is not known here.
  const advice = overlap.clear && doubts.length > 0 ? [] : plainLines(overlap.recommended_action)
  const reason = plainLines(overlap.reason)
  const next = [...advice, ...doubts.map(({ text }) => plain(text)), ...overlap.reuse_opportunities.map(reuseLine)]
  return [
    headOf(overlap, doubts),
    ...[...reason, ...tried].map(indented),
    'Next:',
    // Both texts of the service may begin with the same introduction of other people's words.
    ...next.filter((line) => !reason.includes(line)).map(indented),
  ]
}

const indented = (line: string) => `  ${line}`

function headOf({ overlap_detected, severity, clear }: Overlap, doubts: readonly Doubt[]): string {
  if (overlap_detected) return `Overlap, ${severity} severity.`
  return clear && doubts.length === 0 ? 'No overlap.' : 'No overlap is known.'
}

/** What has a pull request may be a stranger's, of whom nothing is quoted but number and login. */
function reuseLine({ title, pr_url, activity_id, reason }: Overlap['reuse_opportunities'][number]): string {
  return `Merged lately: ${pr_url === null ? `${quoted(title)} (${activity_id})` : plain(pr_url)}. ${plain(reason)}`
}

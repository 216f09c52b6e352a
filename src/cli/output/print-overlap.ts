import { quoted } from '../../core/texts/quote.ts'
import { type Json, recordList, textField } from '../client/json.ts'
import { adviceOf, factsOf, type ReceivedMessage, withIds, withoutIds } from '../client/messages.ts'
import { type ParentOverlap, parentHeading } from '../client/work/check-parent.ts'
import type { OverlapAfterMerges } from '../merge/answer/after-merges.ts'
import type { LaterMerges } from '../merge/later-merges.ts'
import { createStyler, type Terminal } from '../terminal.ts'
import { describeIssues } from './describe-issues.ts'
import { plain } from './plain-text.ts'

export interface PrintOptions {
  /** What was found in the parent of a fork. */
  parent?: ParentOverlap | undefined
  /** Named places that are not in the work tree, as sentences. */
  missing?: readonly string[]
  /** Whether to print the ids of what is named. */
  ids?: boolean | undefined
}

/** Prints the response of a check for a person. */
export function printOverlap(terminal: Terminal, overlap: Json, options: PrintOptions = {}): void {
  printFacts(terminal, overlap, options)
  printAdvice(terminal, overlap, options)
  printParent(terminal, options)
}

/** Prints the response by lines first, then what the tried merges say, and then what to do next. Returns it after the merges. */
export async function printWithMerges(
  terminal: Terminal,
  overlap: Json,
  merges: LaterMerges,
  options: PrintOptions,
): Promise<OverlapAfterMerges> {
  printFacts(terminal, overlap, options, merges.isTried)
  const after = await merges.result()
  for (const line of linesOf(after.messages, options)) terminal.out(`  ${line}`)
  printAdvice(terminal, after.overlap, options)
  printParent(terminal, options)
  return after
}

function printParent(terminal: Terminal, options: PrintOptions): void {
  const { parent } = options
  if (!parent) return
  terminal.out(parentHeading(parent))
  printFacts(terminal, parent.overlap, options)
  printAdvice(terminal, parent.overlap, options)
}

/** Prints what to do next, and what was merged lately for the same issue or in the same place. */
export function printAdvice(terminal: Terminal, overlap: Json, options: PrintOptions = {}): void {
  const style = createStyler(terminal)
  printLines(terminal, style('bold', 'Next:'), nextLines(overlap, options))
  for (const reuse of recordList(overlap, 'reuse_opportunities')) {
    const branch = textField(reuse, 'branch')
    const where = textField(reuse, 'pr_url') ?? (branch && quoted(branch)) ?? textField(reuse, 'activity_id') ?? ''
    const issues = describeIssues(reuse)
    const forIssues = issues === '' ? '' : `, for the same ${issues}`
    const title = quoted(textField(reuse, 'title') ?? '')
    terminal.out(style('dim', `Merged recently: ${title} (${plain(where)})${forIssues}`))
  }
}

/** `byLines`: merges are tried next. */
function printFacts(terminal: Terminal, overlap: Json, options: PrintOptions, byLines = false): void {
  const { missing = [] } = options
  printLines(terminal, headOf(terminal, overlap, missing, byLines), [
    ...linesOf(factsOf(overlap), options),
    ...missing.map(plain),
  ])
}

function headOf(terminal: Terminal, overlap: Json, missing: readonly string[], byLines: boolean): string {
  const style = createStyler(terminal)
  const severity = textField(overlap, 'severity')
  if (overlap.overlap_detected === true)
    return style(severity === 'high' ? 'red' : 'yellow', `Overlap, ${plain(severity ?? 'low')} severity.`)
  const isClear = missing.length === 0 && overlap.clear === true
  if (!isClear) return style('yellow', 'No overlap is known.')
  return byLines ? 'No overlap by lines.' : style('green', 'No overlap.')
}

/**
 * A path that may be misspelled gets no "go ahead" (docs/rules.md#what-a-check-prints): where nothing stands in the way, that is
 * the advice about no record.
 */
function nextLines(overlap: Json, options: PrintOptions): string[] {
  const advice = adviceOf(overlap)
  const { missing = [] } = options
  if (missing.length === 0) return linesOf(advice, options)
  const what = missing.length === 1 ? 'this path is' : 'these paths are'
  const others = advice.filter(({ ids }) => overlap.clear === false || ids.length > 0)
  return [...linesOf(others, options), `See whether ${what} right.`]
}

function linesOf(messages: readonly ReceivedMessage[], { ids }: PrintOptions): string[] {
  return messages.map(ids ? withIds : withoutIds)
}

/** Prints the first line beside the head, and the others indented below it. */
function printLines(terminal: Terminal, head: string, [first = '', ...others]: readonly string[]): void {
  terminal.out(`${head} ${first}`)
  for (const line of others) terminal.out(`  ${line}`)
}

import { quoted } from '../../core/texts/quote.ts'
import { textOf } from '../../core/texts/sentence/sentence-parts.ts'
import { type TitledCollision, type TitleFacts, titleOf } from '../../core/texts/sentence/title.ts'
import { type Json, numberField, numberList, record, recordList, textField, textList } from '../client/json.ts'
import { readSeverity } from '../merge/answer/read-candidates.ts'
import { createStyler, type Terminal } from '../terminal.ts'
import { plain } from './plain-text.ts'

interface SentenceOptions {
  /** Whether the proposal names a place, or work is recorded. */
  hasWork: boolean
  /** Whether something that was named is not there, so that nothing is known of it. */
  isMissing?: boolean
  /** Whether merges are tried next. */
  isByLines?: boolean
}

/** Prints the sentence that the page begins with, about the proposal. `overlaps`: the answer of its check, then that of a parent. */
export function printSentence(terminal: Terminal, overlaps: readonly Json[], options: SentenceOptions): void {
  const { kind, title } = titleOf(factsOfCheck(overlaps, options))
  const text = textOf(title, (name) => quoted(plain(name)))
  const isClear = (kind === 'nothing' || kind === 'near') && options.isByLines !== true
  const isHigh = kind === 'freeze' || (kind === 'collides' && overlaps.some(({ severity }) => severity === 'high'))
  terminal.out(createStyler(terminal)(isHigh ? 'red' : isClear ? 'green' : 'yellow', text))
}

function factsOfCheck(overlaps: readonly Json[], { hasWork, isMissing, isByLines }: SentenceOptions): TitleFacts {
  return {
    work: hasWork ? 'some' : 'none',
    worst: overlaps.map(worstOf).find((worst) => worst !== undefined),
    freeze: overlaps.flatMap(freezesOf)[0],
    progress: undefined,
    open: isMissing || overlaps.some(hasGap) ? 'not known' : overlaps.some(isUnwatched) ? 'recorded' : 'known',
    near: overlaps.reduce((count, overlap) => count + (numberField(overlap, 'nearby_count') ?? 0), 0),
    isByLines: isByLines === true,
  }
}

/** The first one described: the service lists the worst first. */
function worstOf(overlap: Json): TitledCollision | undefined {
  const [item] = recordList(overlap, 'collisions')
  if (!item && textList(overlap, 'related_activity_ids').length === 0) return undefined
  const { lines } = item ?? {}
  return {
    pair: {
      severity: readSeverity(item?.severity) ?? 'low',
      lines: Array.isArray(lines) ? lines : null,
      example_path: (item && textField(item, 'example_path')) ?? null,
      areas: item ? textList(item, 'areas') : [],
      issues: item ? numberList(item, 'issues') : [],
      same_change: item?.same_change === true,
    },
    mine: undefined,
    theirs: item && { actor: textField(item, 'actor') ?? '', agent: textField(item, 'agent') ?? null },
    areBothMine: item?.own === true,
  }
}

function freezesOf(overlap: Json): string[] {
  return recordList(overlap, 'notables').flatMap((notable) => {
    const isFreeze = notable.about === 'repository' && (notable.blocking === true || notable.importance === 'critical')
    return isFreeze ? (textField(notable, 'title') ?? []) : []
  })
}

/** Whether the answer lacks something. One without `clear` and `obstacles` is from an older service. */
function hasGap(overlap: Json): boolean {
  const obstacles = textList(overlap, 'obstacles')
  const gaps = obstacles.filter((obstacle) => obstacle !== 'collision' && obstacle !== 'notable')
  return gaps.length > 0 || (overlap.clear !== true && obstacles.length === 0)
}

function isUnwatched(overlap: Json): boolean {
  return textField(record(overlap, 'observed'), 'pull_requests') === 'off'
}

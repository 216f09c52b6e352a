import { severities } from '../../../core/enums.ts'
import type { KnownByLines, SeverityAfterMerge } from '../../../core/rules/severity-after-merge.ts'
import { type Json, numberField, recordList, textField } from '../../client/json.ts'
import type { MergeCandidate, MergeResult } from '../merge-result.ts'

/** A candidate as the service names it (docs/rules.md#merge-candidates). */
export interface ReceivedCandidate {
  item: Json
  candidate: MergeCandidate
  known: KnownByLines
}

/** What a tried merge says of a candidate. */
export interface JudgedMerge extends SeverityAfterMerge {
  received: ReceivedCandidate
  result: MergeResult
}

export function readCandidates(overlap: Json): ReceivedCandidate[] {
  return recordList(overlap, 'candidates').map((item) => ({
    item,
    candidate: {
      activity_id: textField(item, 'activity_id') ?? '',
      number: numberField(item, 'number') ?? null,
      branch: textField(item, 'branch') ?? null,
      head_sha: textField(item, 'head_sha') ?? null,
      base_branch: textField(item, 'base_branch') ?? null,
      hides_words: item.hides_words !== false,
      files: Array.isArray(item.files) ? recordList(item, 'files').map(readFile) : null,
    },
    known: {
      severity: readSeverity(item.severity),
      withoutLines: readSeverity(item.severity_without_lines),
      isGrave: item.grave === true,
      limit: readSeverity(item.severity_limit),
      isIgnoredAuthor: item.ignored_author === true,
      isSameChange: item.same_change === true,
      hasUnpushedLines: item.has_unpushed_lines === true,
    },
  }))
}

function readFile(file: Json) {
  return {
    path: textField(file, 'path') ?? '',
    previous_path: textField(file, 'previous_path') ?? null,
    is_ignored: file.ignored === true,
  }
}

export function readSeverity(value: unknown) {
  return severities.find((severity) => severity === value) ?? null
}

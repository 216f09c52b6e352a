import { type Json, recordList, textField, textList } from '../client/json.ts'
import { factsOf } from '../client/messages.ts'
import type { Tasks } from '../client/work/read-tasks.ts'
import { createStyler, type Terminal } from '../terminal.ts'
import { describeIssues } from './describe-issues.ts'
import { plain } from './plain-text.ts'
import { printOverlap } from './print-overlap.ts'

/** Prints which tasks collide with one another, which may begin, and for each other one what stands in its way or is near. */
export function printTasks(terminal: Terminal, { names }: Tasks, answer: Json): void {
  const style = createStyler(terminal)
  const nameOf = (index: unknown) => names[Number(index)] ?? `proposals[${String(index)}]`
  const results = recordList(answer, 'results')
  const pairs = recordList(answer, 'pairs')
  for (const pair of pairs) {
    const [first, second] = Array.isArray(pair.indexes) ? pair.indexes : []
    const same = pair.same_change === true ? 'the same change' : ''
    const places = [
      same,
      describeIssues(pair),
      plain(textField(pair, 'example_path') ?? textList(pair, 'areas').join(', ')),
    ]
    const severity = textField(pair, 'severity') ?? 'low'
    const head = style(severity === 'high' ? 'red' : 'yellow', `${plain(severity)}:`)
    terminal.out(
      `${head} ${nameOf(first)} and ${nameOf(second)} collide with one another: ${places.filter(Boolean).join(', ')}`,
    )
  }
  if (answer.pairs_complete !== true) terminal.out('Not all tasks were compared with one another.')
  else if (pairs.length === 0) terminal.out('No task collides with another.')
  const clear = results.flatMap(({ clear }, index) => (clear === true ? nameOf(index) : []))
  terminal.out(
    clear.length === 0 ? style('yellow', 'No task is clear.') : `${style('green', 'May begin:')} ${clear.join(', ')}`,
  )
  for (const [index, result] of results.entries()) {
    // Beside that nothing meets it, something may be near.
    if (result.clear === true && factsOf(result).length < 2) continue
    terminal.out('')
    terminal.out(style('bold', nameOf(index)))
    printOverlap(terminal, result)
  }
}

/**
 * A test for the texts of globs that tells, without reading them, those that can't meet any glob with one of these keys:
 * of the literal beginnings of two that meet, one begins with the other. It says yes where it can't tell. Reading a glob
 * costs a hundred times as much.
 */
export function nearTo(keys: readonly string[]): (text: string) => boolean {
  if (keys.length === 0) return () => false
  const tree = treeOf([...new Set(keys.map(literalPart))].sort(), 0)
  return (text) => agrees(tree, text)
}

/** Keys as a prefix tree: what they have in common, and how each goes on from there. */
interface Tree {
  /** In character codes: reading those costs half of what reading a text does. */
  readonly common: Uint16Array
  /** Whether a key ends here: what goes on lies below it. */
  readonly isKey: boolean
  readonly next: readonly Tree[]
}

/** Of keys in order, at least one, that are alike up to `at`. */
function treeOf(sorted: readonly string[], at: number): Tree {
  const [first = ''] = sorted
  const last = sorted.at(-1) ?? ''
  let end = at
  while (end < first.length && first[end] === last[end]) end++
  const isKey = first.length === end
  const common = Uint16Array.from({ length: end - at }, (_, i) => first.charCodeAt(at + i))
  return { common, isKey, next: isKey ? [] : branchesOf(sorted, end) }
}

function branchesOf(sorted: readonly string[], at: number): Tree[] {
  const starts = sorted.flatMap((key, i) => (key[at] === sorted[i - 1]?.[at] ? [] : i))
  return starts.map((start, i) => treeOf(sorted.slice(start, starts[i + 1]), at))
}

/** Follows the text through the tree. */
function agrees(tree: Tree, text: string): boolean {
  let at = 0
  for (let part: Tree | undefined = tree; part; part = branchAt(part, codeAt(text, at))) {
    const { common } = part
    for (let i = 0; i < common.length; i++, at++) {
      if (codeAt(text, at) !== common[i]) return cannotTell(text, at)
      if (at === text.length) return true
    }
    if (part.isKey) return true
  }
  return cannotTell(text, at)
}

function branchAt({ next }: Tree, code: number): Tree | undefined {
  for (const branch of next) if (branch.common[0] === code) return branch
  return undefined
}

const SLASH = 0x2f
const DOT = 0x2e

/** What is a file here may be a directory to others: at the end of a text stands a slash, as after each segment of a key. */
function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : SLASH
}

/** By character code: what a text would have to escape to mean it. */
const isSpecial = new Uint8Array(0x10000)
for (const char of '*?[]{}\\') isSpecial[char.charCodeAt(0)] = 1

/** A key up to its first special character: two that are written alike need not mean the same. */
function literalPart(key: string): string {
  let end = 0
  while (end < key.length && isSpecial[key.charCodeAt(end)] === 0) end++
  return key.slice(0, end)
}

/** Whether a text differs from the keys at this place in writing alone: by something special, or a segment that reading drops. */
function cannotTell(text: string, at: number): boolean {
  if (isSpecial[codeAt(text, at)] === 1) return true
  let start = at
  while (start > 0 && text.charCodeAt(start - 1) !== SLASH) start--
  const next = codeAt(text, codeAt(text, start) === DOT ? start + 1 : start)
  return next === SLASH || isSpecial[next] === 1
}

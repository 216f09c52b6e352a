import { GlobRefused } from './glob-fault.ts'
import { globLimits, tooManyAlternatives } from './glob-limits.ts'

/** The members of `1..9` or `a..f`, in either order. Refuses any other text, at the `{` that stands at `open`. */
export function rangeMembers(text: string, open: number): string[] {
  const [, first, last] = /^(0|[1-9]\d*)\.\.(0|[1-9]\d*)$/.exec(text) ?? []
  if (first !== undefined && last !== undefined) return counted(BigInt(first), BigInt(last)).map(String)
  if (/^([a-z]\.\.[a-z]|[A-Z]\.\.[A-Z])$/.test(text)) {
    const letters = counted(BigInt(text.charCodeAt(0)), BigInt(text.charCodeAt(3)))
    return letters.map((letter) => String.fromCodePoint(Number(letter)))
  }
  const message =
    'A range in braces is of whole numbers without padding, {1..9}, or of letters of one case, {a..f}. ' +
    'List the alternatives with commas, or write "\\{" for a real name.'
  throw new GlobRefused(message, open)
}

/** Big integers, since a range may begin far beyond the exact numbers. */
function counted(first: bigint, last: bigint): bigint[] {
  const step = first <= last ? 1n : -1n
  const count = (last - first) * step + 1n
  if (count > globLimits.alternatives) throw tooManyAlternatives()
  return Array.from({ length: Number(count) }, (_, i) => first + step * BigInt(i))
}

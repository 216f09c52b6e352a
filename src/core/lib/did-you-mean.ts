/** The end of an error about an unknown word: the name that is most like it. Empty if no name is close enough. */
export function didYouMean(word: string, names: readonly string[]): string {
  const most = word.length < 5 ? 1 : 2
  const [best] = names
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return best ? ` Did you mean ${best.name}?` : ''
}

/** How many letters have to be added, removed, replaced or swapped with the next one. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let row = 1; row <= a.length; row++) {
    rows[row] = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const changed = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
      )
      rows[row]?.push(isSwapped ? Math.min(changed, at(row - 2, column - 2) + 1) : changed)
    }
  }
  return at(a.length, b.length)
}

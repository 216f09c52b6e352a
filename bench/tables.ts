/** In percent. A half goes to the even neighbour. */
export function percent(part: number, whole: number): number {
  const share = (100 * part) / whole
  return share % 2 === 0.5 ? Math.floor(share) : Math.round(share)
}

/** Prints a table of Markdown; the first row is its head. */
export function print(title: string, rows: readonly (readonly string[])[]): void {
  console.log(`\n${title}\n`)
  for (const [n, row] of rows.entries()) {
    console.log(`| ${row.join(' | ')} |`)
    if (n === 0) console.log(`|${' --- |'.repeat(row.length)}`)
  }
}

const mostBytes = 65_536
const mostIssues = 20
const greatestNumber = 2 ** 31 - 1

/** A keyword of GitHub and one reference: `#42`, `OWNER/NAME#42` or the address of the issue. */
const closing =
  /(?<![\p{L}\p{N}_])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?:[ \t]+|:[ \t]*)(?:(?<repository>[\w.-]{1,100}\/[\w.-]{1,100})?#|<?(?<page>https?:\/\/[\w.:-]{1,255}\/[\w.-]{1,100}\/[\w.-]{1,100})\/issues\/)(?<number>[1-9]\d{0,9})(?![\p{L}\p{N}/])/giu

/** The issues of its own repository that a pull request closes by its title and body: at most 20, sorted. */
export function issuesClosedBy(
  { title, body }: { title: string; body?: string | null },
  { owner, name }: { owner: string; name: string },
  githubServerUrl: string,
): number[] {
  const own = `${owner}/${name}`.toLowerCase()
  const page = `${githubServerUrl}/${own}`.toLowerCase()
  const issues = new Set<number>()
  for (const { groups } of `${title}\n\n${prose(body ?? '')}`.matchAll(closing)) {
    const isOwn = (groups?.repository ?? own).toLowerCase() === own && (groups?.page ?? page).toLowerCase() === page
    const number = Number(groups?.number)
    if (isOwn && number <= greatestNumber && issues.size < mostIssues) issues.add(number)
  }
  return [...issues].sort((a, b) => a - b)
}

/** The text without HTML comments, fenced and inline code, in time that is linear in its length. */
function prose(body: string): string {
  const [first = '', ...others] = Buffer.from(body).subarray(0, mostBytes).toString().split('<!--')
  const shown = [first, ...others.map(afterComment)].join(' ')
  let fence: string | null = null
  const lines = shown.split('\n').filter((line) => {
    const [, mark] = /^[ >]{0,9}(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
    if (fence === null) {
      fence = mark ?? null
      return mark === undefined
    }
    if (mark?.startsWith(fence) && line.trimEnd().endsWith(mark)) fence = null
    return false
  })
  return lines.join('\n').replace(/`[^`\n]*`/g, ' ')
}

/** A comment that nothing ends hides the rest, as at GitHub. */
function afterComment(text: string): string {
  const end = text.indexOf('-->')
  return end < 0 ? '' : text.slice(end + 3)
}

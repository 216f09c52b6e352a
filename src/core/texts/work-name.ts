import { quoted } from './quote.ts'

/** What a text calls work by. Of a pull request that nobody recorded, nobody reads the title here. */
export interface NamedWork {
  source: string
  /** The number of its pull request, if that is of this repository. */
  pr_number: number | null
  branch: string | null
  title: string | null
}

/** `#12` for a pull request that nobody recorded, `pushed branch “fix/login”` for a branch, else the title. */
export function nameOf({ source, pr_number, branch, title }: NamedWork): string {
  if (source === 'branch') return `pushed branch ${quoted(branch ?? '')}`
  if (source === 'recorded') return quoted(title ?? '')
  return pr_number === null ? 'a pull request' : `#${pr_number}`
}

/** The number of its pull request, also where somebody recorded it, or else its name. */
export function pullOrName(work: NamedWork): string {
  return work.pr_number === null ? nameOf(work) : `#${work.pr_number}`
}

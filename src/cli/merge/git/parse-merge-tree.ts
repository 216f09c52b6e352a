/** One merge of `git merge-tree --write-tree --stdin`. */
export interface ParsedMerge {
  isClean: boolean
  /** Files with conflicts contain git's markers. */
  tree: string
  stages: Stage[]
  messages: MergeMessage[]
}

export interface Stage {
  path: string
  /** 1 is the merge base, 2 the first side, 3 the second one. */
  stage: number
}

export interface MergeMessage {
  paths: string[]
  /** Such as `CONFLICT (contents)`, or `Auto-merging`. */
  type: string
}

/** Parses the merges that are complete. git ends at one that it cannot try, so there may be fewer than were asked for. */
export function parseMergeTree(output: string): ParsedMerge[] {
  const fields = output.split('\0')
  // What follows the last NUL is not a whole field.
  fields.pop()
  const merges: ParsedMerge[] = []
  let at = 0
  const next = () => {
    const field = fields[at]
    at += 1
    if (field === undefined) throw new EndOfOutput()
    return field
  }
  try {
    for (;;) merges.push(readMerge(next))
  } catch (error) {
    if (error instanceof EndOfOutput) return merges
    throw error
  }
}

class EndOfOutput extends Error {}

function readMerge(next: () => string): ParsedMerge {
  const isClean = next() === '1'
  const merge: ParsedMerge = { isClean, tree: next(), stages: [], messages: [] }
  for (let field = next(); field !== ''; field = next()) {
    const [, stage = '', path = ''] = /^\d+ [0-9a-f]+ ([123])\t(.*)$/s.exec(field) ?? []
    merge.stages.push({ path, stage: Number(stage) })
  }
  if (isClean) return merge
  // Where submodules conflict, git 2.39 writes advice where the empty field should be that ends a merge.
  for (let count = next(); /^\d+$/.test(count); count = next()) {
    const paths = Array.from({ length: Number(count) }, next)
    merge.messages.push({ paths, type: next() })
    // The text.
    next()
  }
  return merge
}

import { isHalf } from '../../rules/duplicates/same-change-rules.ts'
import type { FoundSameChange } from '../../rules/findings.ts'
import { fileName, type Proposer } from './file-words.ts'

/** That both are the same change, or one is a part of the other, and in which files. `name` is that of the other work. */
export function sameChangeWords(same: FoundSameChange, name: string, proposer: Proposer): string {
  const more = same.equal - 1
  const files = `in ${fileName(same.file)}${more > 0 ? ` and ${more} more ${more === 1 ? 'file' : 'files'}` : ''}`
  return `${mainWords(same, name, proposer)}, ${files}`
}

function mainWords(same: FoundSameChange, name: string, { possessive, name: proposed }: Proposer): string {
  const { kind, equal, ours, theirs, isOwn } = same
  const isForReader = proposed === null
  const which = isForReader && isOwn ? `your own ${name}` : name
  if (kind === 'part')
    return `${which} is a part of ${possessive} change (${equal} of ${isForReader ? 'your' : 'its'} ${ours} files)`
  if (isForReader && isOwn) return `${which} is the same change`
  if (kind === 'repeats') return `${which} repeats ${possessive} change`
  const change = isForReader ? 'this change' : `${possessive} change`
  return `${change} is open already as ${which}${isHalf(equal, theirs) ? '' : ` (${equal} of its ${theirs} files)`}`
}

import { createAccess } from './access.ts'
import { createQuestions } from './questions.ts'
import { createTokenFacts } from './token-facts.ts'

/** GitHub as it answers the tokens of callers. */
export function createCallers(apiUrl: string) {
  const questions = createQuestions(apiUrl)
  return {
    /** The token, hashed: tokens are no key of anything. */
    keyOf: questions.keyOf,
    authorize: createAccess(questions),
    ...createTokenFacts(questions),
  }
}

export type Callers = ReturnType<typeof createCallers>

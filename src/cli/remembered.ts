/** Asks once for each question. */
export function remembered<Question, Answer>(find: (question: Question) => Answer) {
  const answers = new Map<Question, { answer: Answer }>()
  return (question: Question): Answer => {
    const known = answers.get(question) ?? { answer: find(question) }
    answers.set(question, known)
    return known.answer
  }
}

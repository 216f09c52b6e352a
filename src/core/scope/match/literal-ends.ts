/** Whether some text can start with both heads: one starts with the other. */
export function headsAgree(a: string, b: string): boolean {
  return a.length < b.length ? startsWith(b, a) : startsWith(a, b)
}

/** Whether some text can end with both tails. */
export function tailsAgree(a: string, b: string): boolean {
  return a.length < b.length ? b.endsWith(a) : a.endsWith(b)
}

/** Compares the last character first, which differs in most heads. */
function startsWith(text: string, head: string): boolean {
  const last = head.length - 1
  return last < 0 || (text.charCodeAt(last) === head.charCodeAt(last) && text.startsWith(head))
}

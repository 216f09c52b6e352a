/**
 * Whether a request comes from a page of another host. Programs send no `Origin` and pass. The scheme is not compared:
 * behind a proxy it is not known here.
 */
export function isForeignOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const { protocol, host: theirs } = new URL(origin)
  const own = `${protocol}//${host}`
  return theirs === '' || !URL.canParse(own) || new URL(own).host !== theirs
}

/**
 * Whether a request comes from a web page of another host. Programs send no `Origin` and are allowed. The scheme is not
 * compared, because the scheme before a proxy is not known.
 */
export function isForeignOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const { protocol, host: originHost } = new URL(origin)
  const own = `${protocol}//${host}`
  return originHost === '' || !URL.canParse(own) || new URL(own).host !== originHost
}

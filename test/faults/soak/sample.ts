/** The memory in bytes, and the open files of an instance at a time. */
export interface Sample {
  /** Since the load began, in milliseconds. */
  at: number
  rss: number
  heap: number
  files: number
}

const metrics = { rss: 'process_resident_memory_bytes', heap: 'nodejs_heap_size_used_bytes', files: 'process_open_fds' }

/** Reads the metrics of an instance with its metrics token. */
export async function sample(url: string, token: string, at: number): Promise<Sample> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`metrics answer ${answer.status}`)
  const text = await answer.text()
  return { at, rss: gauge(text, metrics.rss), heap: gauge(text, metrics.heap), files: gauge(text, metrics.files) }
}

/** Open files are reported on Linux only, and are 0 elsewhere. */
function gauge(text: string, name: string): number {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  if (value === undefined && name !== metrics.files) throw new Error(`metrics lack ${name}`)
  return Number(value ?? 0)
}

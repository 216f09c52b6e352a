import { useEffect, useState } from 'preact/hooks'
import type { RetrievedActivity } from '../../activity/schema.ts'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import type { TheirFile } from '../../sentence/acts.ts'
import type { OwnPair } from '../../sentence/collision-words.ts'
import { apiPath, send } from '../client/requests.ts'

/** Where the other side of the pair changes the file: its lines and GitHub's name for it. Undefined until it is known. */
export function useTheirFile({ owner, repo }: RepositoryOfPage, own: OwnPair | undefined): TheirFile | undefined {
  const [found, setFound] = useState<TheirFile>()
  const path = own?.pair.example_path ?? null
  const id = own?.theirs?.id
  const updatedAt = own?.theirs?.updated_at
  useEffect(() => {
    if (path === null || id === undefined) return
    let isOver = false
    const ask = async () => {
      const reply = await send<RetrievedActivity>('GET', apiPath(owner, repo, `/activity/${id}`))
      const file = reply.ok ? reply.body.changes?.files.find((one) => one.path === path) : undefined
      const pathHash = await sha256(path)
      if (!isOver) setFound({ path, pathHash, file })
    }
    void ask()
    return () => {
      isOver = true
    }
  }, [owner, repo, id, updatedAt, path])
  return found?.path === path ? found : undefined
}

/** In hexadecimal digits; undefined without TLS, where browsers compute none. */
async function sha256(text: string): Promise<string | undefined> {
  const digest = await globalThis.crypto?.subtle?.digest('SHA-256', new TextEncoder().encode(text))
  return digest && [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

// TEMPORARY
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
export interface Github {
  url: string
  requests: string[]
  stop(): Promise<void>
  addRepository(name: string): {
    id: bigint
    owner: string
    name: string
    writer: string
    otherWriter: string
    reader: string
    stranger: string
  }
}
let id = 100
export async function startGithub(): Promise<Github> {
  const repos = new Map<string, { id: number; name: string }>()
  const requests: string[] = []
  const server = createServer((req, res) => {
    requests.push(req.url ?? '')
    const token = (req.headers.authorization ?? '').split(' ')[1] ?? ''
    const [, , owner, name] = (req.url ?? '').split('/')
    const repo = repos.get((name ?? '').toLowerCase())
    const send = (status: number, body: unknown) => {
      res.writeHead(status, { 'content-type': 'application/json' })
      res.end(JSON.stringify(body))
    }
    if (token === 'ghp_nobody') return send(401, { message: 'Bad credentials' })
    if (!repo || token.startsWith('ghp_stranger')) return send(404, { message: 'Not Found' })
    const push = !token.startsWith('ghp_reader')
    send(200, {
      id: repo.id,
      name: repo.name,
      full_name: `${owner}/${repo.name}`,
      owner: { login: owner },
      private: true,
      default_branch: 'main',
      permissions: { pull: true, push },
    })
  })
  await new Promise<void>((r) => server.listen(0, '127.0.0.1', r))
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
    addRepository(name) {
      id++
      repos.set(name, { id, name })
      return {
        id: BigInt(id),
        owner: 'acme',
        name,
        writer: `ghp_writer${id}`,
        otherWriter: `ghp_writer2${id}`,
        reader: `ghp_reader${id}`,
        stranger: `ghp_stranger${id}`,
      }
    },
  }
}

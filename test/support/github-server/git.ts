import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'

const environment = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }

/** Answers a request for a bare repository below the folder, as GitHub does at `/OWNER/NAME.git`: by git's own program. */
export function serveGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '', 'http://localhost')
  const { headers } = request
  const env = {
    ...environment,
    ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', GIT_PROTOCOL: String(headers['git-protocol'] ?? '') },
    ...{ REQUEST_METHOD: request.method ?? '', PATH_INFO: pathname, QUERY_STRING: search.slice(1) },
    CONTENT_TYPE: headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
  }
  const settings = ['-c', 'uploadpack.allowFilter=true', '-c', 'uploadpack.allowAnySHA1InWant=true']
  const child = spawn('git', [...settings, 'http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const output = Buffer.concat(chunks)
    const end = output.indexOf('\r\n\r\n')
    for (const field of output.subarray(0, end).toString().split('\r\n')) {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(field) ?? []
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
      else if (name !== '') response.setHeader(name, value)
    }
    response.end(output.subarray(end + 4))
  })
}

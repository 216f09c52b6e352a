export interface Request {
  method: 'GET' | 'POST'
  url: string
  token?: string
  body?: object
}

export interface Answer {
  status: number
  body: unknown
}

/** The curl command for the request, in lines to paste into a shell, for which `?` and `&` have a meaning of their own. */
export function curlOf({ method, url, token, body }: Request): string[] {
  const options = [
    ...(token === undefined ? [] : [`-H ${quoted(`Authorization: Bearer ${token}`)}`]),
    ...(body === undefined ? [] : [`-H ${quoted('Content-Type: application/json')}`]),
  ].join(' ')
  const data = body === undefined ? '' : `-d ${quoted(JSON.stringify(body))}`
  // With data, curl sends a POST.
  const verb = method === 'POST' && body === undefined ? '-X POST ' : ''
  const lines = [`curl ${verb}${/[?&]/.test(url) ? quoted(url) : url}`, options, data].filter((line) => line !== '')
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line))
}

export async function send({ method, url, token, body }: Request): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

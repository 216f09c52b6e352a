const segment = (name: string, description: string, pattern: string, example: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', pattern },
  example,
})

const id = (prefix: string) => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

/** The rule for idempotency keys, in a header or as an argument of a tool. */
export const idempotencyKeyRule =
  'Makes a create safe to repeat: within 24 hours the same key (1 to 255 visible ASCII characters), body and token on the same repository return the first response.'

/** `components.parameters` of the document. */
export const parameterComponents = {
  Owner: segment(
    'owner',
    'The owner of the repository at GitHub; not case-sensitive.',
    '^[A-Za-z0-9_-]{1,100}$',
    'octocat',
  ),
  Repo: segment('repo', 'The name of the repository; not case-sensitive.', '^[A-Za-z0-9._-]{1,100}$', 'hello-world'),
  ActivityId: segment('id', 'The id of an activity.', id('act'), 'act_01h455vb4pex5vsknk084sn02q'),
  NotableId: segment('id', 'The id of a notable.', id('ntb'), 'ntb_01h455vb4pex5vsknk084sn02q'),
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: `${idempotencyKeyRule} A repeated response has \`Idempotency-Replayed: true\`.`,
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '5f0c8c0e-8a1b-4a3e-9d55-2f1f0f8b7c11',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The id of the last event that you have read. The stream then begins with what you missed.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body.',
    schema: { type: 'string' },
  },
}

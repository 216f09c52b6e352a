import { expect, it } from 'vitest'
import { readRepository } from '../../../bench/pull-requests.ts'
import { whatWouldBeSaid } from '../../../scripts/demo/replay-in-shadow.ts'

it('the demo says of recorded pull requests what the bench measures, and stays below the limit of writes', () => {
  const repository = readRepository(new URL('../../../bench/open-prs/fastify.json.br', import.meta.url))
  expect(whatWouldBeSaid(repository)).toEqual([
    '60 open pull requests, of which',
    '  19 change the same lines as another one',
    '  7 are close to another one',
    '  7 conflict with their base already',
    '  27 have no overlap',
    '24 hours with 50 pushes each',
    '  1,200 check runs created, one for each push',
    '  150 rewritten, 6 an hour',
    '  168 requests that write in the busiest hour, of at most 400',
  ])
})

import express from 'express'
import pg from 'pg'
import { newId } from '../src/service/lib/ids.ts'

/** The baseline: Express and one SQL query, without access checks, validation, logging or formatting. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = express()
app.disable('x-powered-by')

app.get('/:repository/activity', async (request, response) => {
  const { rows } = await pool.query(
    'select * from activities where repository_id = $1 and ended_at is null and expires_at > now() order by id desc limit 50',
    [request.params.repository],
  )
  response.json({ items: rows })
})

app.get('/:repository/activity/:id', async (request, response) => {
  const { rows } = await pool.query('select * from activities where repository_id = $1 and id = $2', [
    request.params.repository,
    request.params.id,
  ])
  response.json(rows[0])
})

interface NewActivity {
  title: string
  summary: string
  actor: string
  branch: string
  scope: { paths: string[] }
}

app.post('/:repository/activity', express.json(), async (request, response) => {
  const body: unknown = request.body
  const { title, summary, actor, branch, scope } = body as NewActivity
  const { rows } = await pool.query(
    `insert into activities (repository_id, id, title, summary, actor, branch, status, risk, areas, area_keys, paths, draft_pr, blocking, expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, 'active', 'low', '{}', '{}', $7, false, false, now() + interval '20 days', now(), now()) returning *`,
    [request.params.repository, newId('act'), title, summary, actor, branch, scope.paths],
  )
  response.status(201).json({ activity: rows[0] })
})

app.post('/:repository/activity/:id/heartbeat', async (request, response) => {
  const { rows } = await pool.query(
    `update activities set heartbeat_at = now(), expires_at = greatest(expires_at, now() + interval '30 days')
      where repository_id = $1 and id = $2 returning id, heartbeat_at, expires_at`,
    [request.params.repository, request.params.id],
  )
  response.json(rows[0])
})

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`listening on http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
})
process.on('SIGTERM', () => process.exit(0))

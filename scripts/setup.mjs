// `npm run setup`: makes the GitHub App out of app.yml in GitHub's own manifest flow, by Probot's setup page, and writes
// its id, key and secret to `.env`.
import { config } from 'dotenv'
import { run } from 'probot'

config({ quiet: true })
if (process.env.APP_ID) {
  console.error('APP_ID is set already, so there is an App. Take it out of .env to make another.')
  process.exit(1)
}
// A channel of smee.io is for local work alone, and asked for by WEBHOOK_PROXY_URL.
process.env.NO_SMEE_SETUP ??= 'true'
const server = process.env.GITHUB_SERVER_URL
if (server && new URL(server).host !== 'github.com') process.env.GHE_HOST ??= new URL(server).host
process.env.PORT ??= '3000'
process.env.HOST ??= '127.0.0.1'
console.log(
  `Open http://127.0.0.1:${process.env.PORT} to register the App; stop this with Ctrl-C when .env is written.`,
)
await run(() => {})

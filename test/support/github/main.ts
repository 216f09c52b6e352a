import { startControlledGithub } from './control.ts'

/** The stand-in as a program: `PORT`, and `HOOK_URL` and `WEBHOOK_SECRET` for the App's webhooks. */
const { PORT = '4010', HOOK_URL, WEBHOOK_SECRET } = process.env
const github = await startControlledGithub({
  port: Number(PORT),
  app: {
    ...(HOOK_URL === undefined ? {} : { hookUrl: HOOK_URL }),
    ...(WEBHOOK_SECRET === undefined ? {} : { webhookSecret: WEBHOOK_SECRET }),
  },
})
console.log(`A stand-in for GitHub at ${github.url}; POST ${github.url}/_control/state shows its App.`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void github.stop())

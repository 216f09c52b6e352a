import { commands } from './commands.ts'
import { repositoryRoutes, routes } from './routes/all.ts'

/** What the stand-in serves and how it is told what happens, for whoever tries it by hand. */
export function help(url: string): string {
  const served = [
    ...routes.map(({ method, path }) => `${method} ${path}`),
    ...repositoryRoutes.map(({ method, path }) => `${method} /repos/{owner}/{repo}${path.replace('{+', '{')}`),
  ]
  const told = Object.entries(commands).map(([name, { takes }]) => `${name} ${takes.join(' ')}`.trimEnd())
  return `A stand-in for GitHub, for tests and for trying things out. Nothing is kept when it ends.

It answers as GitHub does:
${indented(served)}

POST /_control/{name} with JSON says what happens on it; fields with ? may be left out, a repository is owner/name:
${indented(told)}

  curl ${url}/_control/add-repository -d '{"repository":"acme/shop"}'
  curl ${url}/_control/add-token -d '{"token":"ghp_ana","login":"ana","repository":"acme/shop"}'
  curl -H 'Authorization: Bearer ghp_ana' ${url}/repos/acme/shop

Headsup works with it when it is started with GITHUB_API_URL=${url}.

It reads from its environment PORT (4010; 0: any), WORLD (a JSON file of what there is at the start: lists named repositories,
tokens, installations, pushes and pull_requests, each entry as the command takes it), HOOK_URL and WEBHOOK_SECRET (where the
App's webhooks go).
`
}

function indented(lines: string[]): string {
  return lines.map((line) => `  ${line}`).join('\n')
}

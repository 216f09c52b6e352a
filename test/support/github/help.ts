import { commands } from './commands.ts'
import { repositoryRoutes, routes } from './routes/all.ts'

/** The text of `--help` and of `GET /`: the routes and the control commands. */
export function help(url: string): string {
  const served = [
    ...routes.map(({ method, path }) => `${method} ${path}`),
    ...repositoryRoutes.map(({ method, path }) => `${method} /repos/{owner}/{repo}${path.replace('{+', '{')}`),
  ]
  const controls = Object.entries(commands).map(([name, { takes }]) => `${name} ${takes.join(' ')}`.trimEnd())
  return `A stand-in for GitHub, for tests and demonstrations. It stores nothing on disk.

It responds as GitHub does to:
${indented(served)}

POST /_control/{name} with JSON makes things happen. Fields with ? are optional. A repository is owner/name.
${indented(controls)}

  curl ${url}/_control/add-repository -d '{"repository":"acme/shop"}'
  curl ${url}/_control/add-token -d '{"token":"ghp_ana","login":"ana","repository":"acme/shop"}'
  curl -H 'Authorization: Bearer ghp_ana' ${url}/repos/acme/shop

Start Headsup with GITHUB_API_URL=${url} to use it.

A changed file of a pull request, in files of open-pull-request and changed of push, is {"path", "previousPath"?,
"status"?, "lines"?, "patch"?, "additions"?, "deletions"?}. lines are ranges of the old side, such as [[12, 20]], from
which the patch is made; [n, n + 1] is an insertion after line n. Without lines and patch it is a binary file.

Its environment variables: PORT (4010; 0: any), DATA (a JSON file with the initial data: the lists repositories, forks,
tokens, installations, pushes and pull_requests, each entry the input of its command), HOOK_URL and WEBHOOK_SECRET (the
address and the secret of the App's webhooks), WEB (the beginning of the web site's URLs; own: the stand-in itself, where
the person of sign-in-as signs in).
`
}

function indented(lines: string[]): string {
  return lines.map((line) => `  ${line}`).join('\n')
}

import { ago } from '../core/texts/age.ts'
import { type Json, record, textField, textList } from './client/json.ts'
import { describeUnread } from './client/observed-state.ts'
import { type ExitCode, exitCodes, type Failure } from './failure.ts'
import { plain } from './output/plain-text.ts'

/** What `headsup doctor` found out about one thing. A note is worth knowing, and stops nothing. */
export interface Finding {
  name: string
  state: 'ok' | 'note' | 'fail'
  text: string
  /** Of a failure. */
  exitCode?: ExitCode
}

export const ok = (name: string, text: string): Finding => ({ name, state: 'ok', text })
export const note = (name: string, text: string): Finding => ({ name, state: 'note', text })

export function fail(name: string, { message, exitCode }: Pick<Failure, 'message' | 'exitCode'>): Finding {
  return { name, state: 'fail', text: message, exitCode }
}

/** The exit status: that of the first failure. */
export function exitCodeOf(findings: readonly Finding[]): ExitCode {
  return findings.find(({ state }) => state === 'fail')?.exitCode ?? exitCodes.ok
}

/** What the block `service` of the settings says (docs/rules.md#settings-endpoint). */
export function serviceFindings(settings: Json, { url, now }: { url: string; now: number }): Finding[] {
  const service = record(settings, 'service')
  if (Object.keys(service).length === 0)
    return [note('app', 'this service is older, and does not say whether its GitHub App is installed here.')]
  const app = record(service, 'app')
  return [
    accessFinding(textField(service, 'access')),
    appFinding(app),
    ...webhookFindings(app, url, now),
    observedFinding(record(service, 'observed'), now),
    ...branchFindings(record(settings, 'settings'), app),
    ...(textField(app, 'state') === 'not_configured' ? [] : reportFindings(record(settings, 'report'))),
  ]
}

function accessFinding(access: string | undefined): Finding {
  if (access === 'write') return ok('rights', 'this token may check here, and record work.')
  return note('rights', 'this token may check here, and not record work: that takes the right to push.')
}

/** What the App needs to read the settings, and open pull requests. */
const needed = ['contents', 'pull_requests']

function appFinding(app: Json): Finding {
  switch (textField(app, 'state')) {
    case 'installed': {
      const permissions = record(app, 'permissions')
      const granted = Object.entries(permissions).map(([name, level]) => `${plain(name)} ${plain(String(level))}`)
      const missing = needed.filter((name) => permissions[name] === undefined)
      if (missing.length > 0)
        return note(
          'app',
          `the GitHub App is installed here, but lacks ${missing.join(' and ')}: its owner can grant that.`,
        )
      return ok('app', `the GitHub App is installed here, with ${granted.join(', ')}.`)
    }
    case 'not_installed':
      return note('app', 'the GitHub App is not installed here: open pull requests are read with your token.')
    case 'not_configured':
      return note('app', 'this service has no GitHub App: open pull requests are read with your token.')
    default:
      return note('app', 'GitHub does not say at the moment whether the App is installed here.')
  }
}

function webhookFindings(app: Json, url: string, now: number): Finding[] {
  const last = textField(app, 'last_webhook_at')
  if (last !== undefined)
    return [ok('webhooks', `the service handled the last one ${ago(new Date(last), new Date(now))}.`)]
  if (textField(app, 'state') === 'not_configured') return []
  return [note('webhooks', `none of late: see whether GitHub reaches ${plain(url)}/api/github/webhooks.`)]
}

function reportFindings(report: Json): Finding[] {
  const name = 'check runs'
  switch (textField(report, 'state')) {
    case 'active':
      return [ok(name, 'each pull request gets a check run from its next push on.')]
    case 'off':
      return [note(name, `pull requests get no check runs here: ${whyOff(textField(report, 'reason'))}.`)]
    case 'permission_missing': {
      const url = textField(report, 'approve_url')
      const where = url === undefined ? '' : `: ${plain(url)}`
      return [note(name, `pull requests get none until the owner of the App’s installation approves it${where}.`)]
    }
    default:
      return []
  }
}

function whyOff(reason: string | undefined): string {
  switch (reason) {
    case 'shadow':
      return 'the service only logs what they would say (HEADSUP_REPORT_SHADOW)'
    case 'setting':
      return 'the setting pull_request_report is off'
    case 'not_observed':
      return 'the settings leave open pull requests out (enabled, observe)'
    case 'not_read':
      return 'the GitHub App does not read this repository, or has not begun to'
    default:
      return 'the service does not say why'
  }
}

/** Nothing where the settings do not enable pushed branches. */
function branchFindings(settings: Json, app: Json): Finding[] {
  const name = 'branches'
  const observed = textList(settings, 'observe')
  if (settings.enabled === false || !observed.includes('branches')) return []
  if (!observed.includes('pull_requests'))
    return [note(name, 'they are not observed: the setting observe lacks pull_requests.')]
  if (textField(app, 'state') === 'installed') return [ok(name, 'pushed ones are observed, from their next push on.')]
  return [note(name, 'pushed ones are observed only where the GitHub App is installed.')]
}

function observedFinding(observed: Json, now: number): Finding {
  const name = 'pull requests'
  const asOf = textField(observed, 'as_of')
  const when = asOf === undefined ? '' : ` ${ago(new Date(asOf), new Date(now))}`
  const unread = describeUnread(observed)
  switch (textField(observed, 'pull_requests')) {
    case 'current':
      return unread !== undefined
        ? note(name, `listed${when}; the files of ${unread} are not read yet.`)
        : ok(name, `the open ones are read, last listed${when}.`)
    case 'reading':
      return note(name, 'the open ones are being read for the first time.')
    case 'stale':
      return note(name, `the open ones were last read${when}, and could not be read since.`)
    case 'unavailable':
      return note(name, 'this token may not read them, so checks do not know the open ones.')
    default:
      return note(name, 'they are not observed here.')
  }
}

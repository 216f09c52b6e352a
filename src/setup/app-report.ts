/** A webhook that GitHub sent, newest first. */
export interface DeliveryFact {
  delivered_at: string
  status: string
  status_code: number
  event: string
}

/** What GitHub says of the App. */
export interface AppFacts {
  app: { name: string; html_url: string; owner: string; permissions: Record<string, string>; events: string[] }
  deliveries: DeliveryFact[]
  installations: { account: string; permissions: Record<string, string> }[]
}

/** What the App needs, from `app.yml`. */
export interface AppNeeds {
  permissions: Record<string, string>
  events: string[]
}

export interface AppReport {
  /** Each begins with `ok` or `to do`. */
  lines: string[]
  /** What to do next. */
  next: string
  isComplete: boolean
}

/** Whether the service took the webhook. */
export function isDelivered({ status_code }: Pick<DeliveryFact, 'status_code'>): boolean {
  return status_code >= 200 && status_code < 300
}

type Check = { done: string } | { toDo: string; next: string }

/** Says what is done and what is left, in the order in which it is to be done. */
export function reportApp({ app, deliveries, installations }: AppFacts, needs: AppNeeds): AppReport {
  const checks: Check[] = [
    { done: `The App “${app.name}” is there, and belongs to ${app.owner}.` },
    checkPermissions(app, needs),
    ...checkInstallations(app, installations, needs),
    checkDeliveries(deliveries),
  ]
  const open = checks.flatMap((check) => ('toDo' in check ? [check] : []))
  return {
    lines: checks.map((check) => ('done' in check ? `ok     ${check.done}` : `to do  ${check.toDo}`)),
    next: open[0]?.next ?? 'Nothing is left to do. In a clone, `headsup doctor` says what works there.',
    isComplete: open.length === 0,
  }
}

function lacking(granted: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): string[] {
  return Object.entries(wanted).flatMap(([name, level]) =>
    granted[name] === level || granted[name] === 'write' ? [] : [`${name}: ${level}`],
  )
}

function checkPermissions({ permissions, events, html_url }: AppFacts['app'], needs: AppNeeds): Check {
  const missing = [
    ...lacking(permissions, needs.permissions),
    ...needs.events.filter((event) => !events.includes(event)),
  ]
  if (missing.length === 0) return { done: 'It asks for the permissions and events that Headsup uses.' }
  return {
    toDo: `It does not ask for ${missing.join(', ')}.`,
    next: `Add that in the App's settings, under “Permissions & events”: ${html_url}`,
  }
}

function checkInstallations(
  { html_url }: AppFacts['app'],
  installations: AppFacts['installations'],
  { permissions }: AppNeeds,
): Check[] {
  if (installations.length === 0)
    return [{ toDo: 'It is installed nowhere.', next: `Install it: ${html_url}/installations/new` }]
  return installations.map(({ account, permissions: granted }) => {
    const missing = lacking(granted, permissions)
    if (missing.length === 0) return { done: `It is installed on ${account}, with what it asks for.` }
    return {
      toDo: `${account} has not granted ${missing.join(', ')}.`,
      next: `An owner of ${account} accepts the new permissions, in the installation's settings.`,
    }
  })
}

function checkDeliveries(deliveries: readonly DeliveryFact[]): Check {
  const arrived = deliveries.find(isDelivered)
  if (arrived) return { done: `A webhook has arrived (${arrived.event}, ${arrived.delivered_at}).` }
  const [newest] = deliveries
  const again = '`npm run setup -- --check` has one sent again.'
  if (!newest) return { toDo: 'GitHub has not sent a webhook yet.', next: `Start Headsup and push a branch. ${again}` }
  return {
    toDo: `No webhook has arrived. The newest (${newest.event}) ended with “${newest.status}” (${newest.status_code}).`,
    next: `Start Headsup, and see whether its address can be reached from GitHub. ${again}`,
  }
}

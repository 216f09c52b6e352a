import type { Delivery, GithubData } from '../data.ts'
import { pageSize } from '../page.ts'
import { type Call, notFound, type Reply, type Route } from '../route.ts'
import { instant } from '../shapes/account.ts'

/** GitHub keeps deliveries for three days. */
const keptMs = 3 * 86_400_000

export const deliveryRoutes: readonly Route[] = [
  { method: 'GET', path: '/app/hook/deliveries', by: 'app', handle: listDeliveries },
  { method: 'GET', path: '/app/hook/deliveries/{delivery_id}', by: 'app', handle: readDelivery },
  { method: 'POST', path: '/app/hook/deliveries/{delivery_id}/attempts', by: 'app', handle: attempt },
]

function keptDeliveries({ deliveries, now }: GithubData): Delivery[] {
  return deliveries.filter(({ deliveredAt }) => now() - deliveredAt.getTime() < keptMs)
}

/** Newest first. A cursor is the last delivery of the page before. */
function listDeliveries({ data, links, url }: Call): Reply {
  const status = url.searchParams.get('status')
  const before = Number(/^v1_(\d+)$/.exec(url.searchParams.get('cursor') ?? '')?.[1] ?? Infinity)
  const found = keptDeliveries(data)
    .filter((one) => status === null || (status === 'success') === (one.status === 'OK'))
    .filter(({ id }) => id < before)
    .sort((left, right) => right.id - left.id)
  const page = found.slice(0, pageSize(url))
  const next = new URL(url.pathname + url.search, links.api)
  next.searchParams.set('cursor', `v1_${page.at(-1)?.id}`)
  const headers = page.length < found.length ? { link: `<${next.href}>; rel="next"` } : undefined
  return { status: 200, ...(headers === undefined ? {} : { headers }), body: page.map(deliveryShape) }
}

function find({ data, params }: Call): Delivery | undefined {
  return keptDeliveries(data).find(({ id }) => String(id) === params.delivery_id)
}

function readDelivery(call: Call): Reply {
  const delivery = find(call)
  if (delivery === undefined) return notFound()
  const { request, response } = delivery
  const body = {
    ...deliveryShape(delivery),
    url: call.data.app.hookUrl ?? '',
    request: { headers: request.headers, payload: JSON.parse(request.text) },
    response: { headers: response.headers, payload: response.text },
  }
  return { status: 200, body }
}

/** GitHub accepts the request, and redelivers a little later. */
function attempt(call: Call): Reply {
  const delivery = find(call)
  if (delivery === undefined) return notFound()
  // Without a webhook URL this fails, and nobody waits for it.
  call.hook.redeliver(delivery).catch(() => {})
  return { status: 202, body: {} }
}

function deliveryShape(delivery: Delivery) {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: instant(delivery.deliveredAt),
    redelivery: delivery.redelivery,
    duration: delivery.duration,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  }
}

import { pageSize } from '../page.ts'
import { type Call, notFound, type Reply, type Route } from '../route.ts'
import { instant } from '../shapes/account.ts'
import type { Delivery, World } from '../world.ts'

/** GitHub keeps deliveries for three days. */
const keptMs = 3 * 86_400_000

export const deliveryRoutes: readonly Route[] = [
  { method: 'GET', path: '/app/hook/deliveries', by: 'app', handle: listDeliveries },
  { method: 'GET', path: '/app/hook/deliveries/{delivery_id}', by: 'app', handle: readDelivery },
  { method: 'POST', path: '/app/hook/deliveries/{delivery_id}/attempts', by: 'app', handle: attempt },
]

function keptDeliveries({ deliveries, now }: World): Delivery[] {
  return deliveries.filter(({ deliveredAt }) => now() - deliveredAt.getTime() < keptMs)
}

/** Newest first; a cursor is the delivery that the page before ended with. */
function listDeliveries({ world, links, url }: Call): Reply {
  const status = url.searchParams.get('status')
  const before = Number(/^v1_(\d+)$/.exec(url.searchParams.get('cursor') ?? '')?.[1] ?? Infinity)
  const found = keptDeliveries(world)
    .filter((one) => status === null || (status === 'success') === (one.status === 'OK'))
    .filter(({ id }) => id < before)
    .sort((left, right) => right.id - left.id)
  const page = found.slice(0, pageSize(url))
  const next = new URL(url.pathname + url.search, links.api)
  next.searchParams.set('cursor', `v1_${page.at(-1)?.id}`)
  const headers = page.length < found.length ? { link: `<${next.href}>; rel="next"` } : undefined
  return { status: 200, ...(headers === undefined ? {} : { headers }), body: page.map(deliveryShape) }
}

function find({ world, params }: Call): Delivery | undefined {
  return keptDeliveries(world).find(({ id }) => String(id) === params.delivery_id)
}

function readDelivery(call: Call): Reply {
  const delivery = find(call)
  if (delivery === undefined) return notFound()
  const { request, response } = delivery
  const body = {
    ...deliveryShape(delivery),
    url: call.world.app.hookUrl ?? '',
    request: { headers: request.headers, payload: JSON.parse(request.text) },
    response: { headers: response.headers, payload: response.text },
  }
  return { status: 200, body }
}

/** GitHub takes the wish, and delivers a little later. */
function attempt(call: Call): Reply {
  const delivery = find(call)
  if (delivery === undefined) return notFound()
  // Where no hook is known any more it fails, and nobody waits for that.
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

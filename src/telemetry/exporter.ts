import type { Log } from '../lib/log.ts'

interface Exporter<Item> {
  export(items: Item[], done: (result: { code: number }) => void): void
  shutdown(): Promise<void>
}

/** Passes everything on; says when what is exported begins to get lost, and when it arrives again, once each. */
export function reportingExporter<Item>(exporter: Exporter<Item>, log: Log): Exporter<Item> {
  let isLosing = false
  return {
    export(items, done) {
      exporter.export(items, (result) => {
        const fails = result.code !== 0
        if (fails && !isLosing) log.warn({ spans: items.length }, 'OTEL_EXPORTER_OTLP_ENDPOINT takes no traces')
        if (!fails && isLosing) log.info({}, 'OTEL_EXPORTER_OTLP_ENDPOINT takes traces again')
        isLosing = fails
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

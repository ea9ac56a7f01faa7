import type { Log } from '../log.ts'
import type { Tracing } from './tracing.ts'

/** What the packages of OpenTelemetry know each other by, since their version 1.0. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

/** Undefined if no OpenTelemetry SDK was loaded before the service; then nothing of it is loaded either. */
export const openTracing = async (log: Log, rate: number): Promise<Tracing | undefined> => {
  const registered = (globalThis as Record<symbol, { readonly trace?: unknown; readonly version?: string }>)[REGISTERED]
  if (registered?.trace === undefined) return undefined
  const api = await import('@opentelemetry/api').catch(() => undefined)
  if (api === undefined) {
    log.warn('nothing is traced: install @opentelemetry/api where Rollcall is installed, beside the SDK that is loaded')
    return undefined
  }
  const provider = api.trace.getTracerProvider()
  // A newer copy of the package does not find what an older one registered.
  if (provider instanceof api.ProxyTracerProvider && provider.getDelegateTracer('rollcall') === undefined) {
    const fields = { registered: registered.version }
    log.warn(
      fields,
      'nothing is traced: the SDK has an older @opentelemetry/api; install that version for Rollcall, too',
    )
    return undefined
  }
  return (await import('./spans.ts')).tracingBy(api, rate)
}

import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP } from 'node:net'
import {
  type Clock,
  type TargetAnswer,
  WebhookGone,
  type WebhookMessage,
  WebhookRefused,
  type WebhookTransport,
  withAnswer,
} from '@rollcall/core'
import { parseHttpDate, parseRetryAfter } from '@rollcall/platform-node'
import { post, type Timeouts } from './post.ts'
import {
  AddressNotAllowed,
  type AddressRange,
  guardedLookup,
  ReachableAddresses,
  type Resolve,
} from './reachable-addresses.ts'
import { resolveApart } from './resolve-apart.ts'

export interface WebhookTransportOptions {
  readonly clock: Clock
  /** Addresses that events may be sent to although they are not public, and without encryption; none by default. */
  readonly allow?: readonly AddressRange[] | undefined
  /** The operator's name for `allow`: an address that is refused is answered with it. */
  readonly allowSetting?: string | undefined
  /** By default 5 s to connect and 15 s to answer. */
  readonly timeouts?: Timeouts | undefined
  /** By default the system's resolver. */
  readonly resolve?: Resolve | undefined
  /** Certificates of authorities to believe besides the usual ones, as PEM. */
  readonly authorities?: readonly string[] | undefined
}

const TIMEOUTS: Timeouts = { connect: 5_000, answer: 15_000 }
/**
 * To one target: at a tenth of a second for an answer some 150 events a second, and no more connections than the smallest
 * of servers takes.
 */
const CONCURRENCY = 20
/** Milliseconds; shorter than most servers keep an idle connection. */
const IDLE = 4_000

/** Events over HTTP: CloudEvents in the structured JSON form, signed as Standard Webhooks. */
export const createWebhookTransport = (options: WebhookTransportOptions): WebhookTransport => {
  const { clock, allow = [], timeouts = TIMEOUTS, authorities, allowSetting } = options
  const exceptions = allowSetting === undefined ? '' : ` Exceptions are named in ${allowSetting}.`
  const closing = new AbortController()
  const resolve = resolveApart(options.resolve ?? lookup)
  const reachable = new ReachableAddresses(allow)
  const usual = { keepAlive: true, timeout: IDLE }
  const plain = new HttpAgent({ ...usual, lookup: guardedLookup(resolve, (address) => reachable.isAllowed(address)) })
  const encrypted = new HttpsAgent({
    ...usual,
    ...(authorities === undefined ? {} : { ca: [...authorities] }),
    lookup: guardedLookup(resolve, (address) => reachable.isReachable(address)),
  })

  const problemWith = (text: string): string | undefined => {
    const url = URL.parse(text)
    if (url === null || !/^https?:$/.test(url.protocol)) return 'Give an absolute https URL.'
    const literal = literalIn(url)
    const https = url.protocol === 'https:'
    if (literal !== undefined && reachable.isAllowed(literal)) return undefined
    // What a name stands for is seen when something is sent there.
    if (!https && (literal !== undefined || !reachable.anyAllowed)) return `Use https.${exceptions}`
    if (literal !== undefined && !reachable.isReachable(literal))
      return `Give a public address. No events are sent to others unless the service is configured to.${exceptions}`
    return undefined
  }

  const send = async (message: WebhookMessage): Promise<TargetAnswer> => {
    // A literal address is looked up nowhere.
    if (problemWith(message.url) !== undefined) throw new AddressNotAllowed()
    const url = new URL(message.url)
    const headers = {
      'Content-Type': 'application/cloudevents+json; charset=utf-8',
      'User-Agent': 'Rollcall',
      ...signMessage(message, Math.floor(clock.now() / 1_000)),
      ...(message.traceContext !== undefined && { traceparent: message.traceContext }),
    }
    const request = { url, headers, body: message.body, signal: closing.signal }
    const answer = await post(request, url.protocol === 'https:' ? encrypted : plain, timeouts)
    const { status } = answer
    if (status >= 200 && status < 300) return answer
    if (status === 410) throw withAnswer(new WebhookGone('The target answered 410: it wants no more events.'), answer)
    const redirects = status >= 300 && status < 400 ? ', and no redirect is followed' : ''
    const wait = parseRetryAfter(answer.retryAfter, parseHttpDate(answer.date ?? '') ?? clock.now())
    const refused = new WebhookRefused(`The target answered ${status}${redirects}.`, { status, retryAfter: wait })
    throw withAnswer(refused, answer)
  }

  return {
    concurrency: CONCURRENCY,
    problemWith,
    send,
    close: async () => {
      closing.abort()
      plain.destroy()
      encrypted.destroy()
    },
  }
}

/** The address that stands in the URL instead of a name. */
const literalIn = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : host
}

const PREFIX = 'whsec_'

/**
 * The header fields that say who sent it and when; one signature by each secret, so that a receiver that knows one of them can verify it.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#webhook-headers-sending-metadata-to-consumers
 */
const signMessage = (
  { id, body, secrets }: Pick<WebhookMessage, 'id' | 'body' | 'secrets'>,
  seconds: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> => {
  const timestamp = String(seconds)
  const signatures = secrets.map((secret) => `v1,${signature(keyOf(secret), `${id}.${timestamp}.${body}`)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')

const signature = (key: Buffer, content: string): string => createHmac('sha256', key).update(content).digest('base64')

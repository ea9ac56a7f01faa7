import { type Clock, type FeedbackItem, type FeedbackVerifier, SignatureNotValid, Unavailable } from '@rollcall/core'
import { Certificates } from './certificates.ts'
import { getFrom } from './get-from.ts'
import { feedbackIn } from './ses-report.ts'
import { asSnsUrl, certificateUrl, isSignedBy, parseSnsMessage, type SnsMessage } from './sns-message.ts'

export interface SesVerifierOptions {
  /** The ARNs of the topics that are believed. */
  readonly topics: readonly string[]
  readonly clock: Clock
  /** Called with why a message was refused, and what was done about others; never with an address. */
  readonly log?: ((level: 'info' | 'warn', message: string) => void) | undefined
  /** By default that of the platform. */
  readonly fetch?: typeof fetch | undefined
}

/** Believes what Amazon SES reports through Amazon SNS: signed by Amazon, and from a topic of this service's operator. */
export const createSesVerifier = (options: SesVerifierOptions): FeedbackVerifier => {
  const { topics, clock, log = () => undefined, fetch: fetchFrom = globalThis.fetch } = options
  const certificates = new Certificates(clock, fetchFrom)
  const known = new Set(topics)

  const refused = (why: string): SignatureNotValid => {
    log('warn', `A message to /feedback/ses was refused: ${why}.`)
    return new SignatureNotValid()
  }

  /** @throws {SignatureNotValid} */
  const requireSigned = async (message: SnsMessage): Promise<void> => {
    // This alone of the message is read before its signature is checked: it saves fetching a certificate in vain.
    if (!known.has(message.TopicArn)) throw refused('its topic is not in ROLLCALL_FEEDBACK_SES_TOPICS')
    const url = certificateUrl(message)
    if (url === undefined) throw refused('its certificate is not at Amazon SNS')
    const key = await certificates.keyAt(url)
    if (key === undefined) throw refused('there is no valid certificate where it says')
    if (!isSignedBy(message, key)) throw refused('its signature does not hold')
  }

  const confirm = async ({ SubscribeURL, TopicArn }: SnsMessage): Promise<void> => {
    const url = asSnsUrl(SubscribeURL)
    const asks = url?.searchParams
    if (url === undefined || asks?.get('Action') !== 'ConfirmSubscription' || asks.get('TopicArn') !== TopicArn)
      throw refused('its subscription is not confirmed at Amazon SNS')
    const { status } = await getFrom(url.href, fetchFrom)
    if (status !== 200) {
      log('warn', `Amazon SNS answered ${status} when the subscription to ${TopicArn} was to be confirmed.`)
      throw new Unavailable()
    }
    log('info', `The subscription to ${TopicArn} is confirmed.`)
  }

  return {
    verify: async (body): Promise<readonly FeedbackItem[]> => {
      const message = parseSnsMessage(body)
      if (message === undefined) throw refused('it is not a message of Amazon SNS')
      await requireSigned(message)
      if (message.Type === 'Notification') return feedbackIn(message)
      if (message.Type === 'SubscriptionConfirmation') await confirm(message)
      // Its link would subscribe again, but an operator ended the subscription on purpose.
      if (message.Type === 'UnsubscribeConfirmation')
        log('warn', `The subscription to ${message.TopicArn} has ended: it reports nothing any more.`)
      return []
    },
  }
}

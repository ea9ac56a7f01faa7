import { createVerify, type KeyObject } from 'node:crypto'

const REQUIRED = [
  'Type',
  'MessageId',
  'TopicArn',
  'Message',
  'Timestamp',
  'SignatureVersion',
  'Signature',
  'SigningCertURL',
] as const
/** The URL is to be followed for the topic to send more, if it was subscribed to. */
const OPTIONAL = ['Subject', 'SubscribeURL', 'Token'] as const

/** A message of Amazon SNS as it came: nothing in it is proven until its signature is. */
export type SnsMessage = Readonly<
  Record<(typeof REQUIRED)[number], string> & Partial<Record<(typeof OPTIONAL)[number], string>>
>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The message in these bytes; undefined if there is none. */
export const parseSnsMessage = (body: Uint8Array): SnsMessage | undefined => {
  const found = objectIn(textIn(body))
  if (found === undefined) return undefined
  const message: Record<string, string> = {}
  for (const name of REQUIRED) {
    const value = found[name]
    if (typeof value !== 'string' || value === '') return undefined
    message[name] = value
  }
  for (const name of OPTIONAL) {
    const value = found[name]
    if (typeof value === 'string') message[name] = value
    else if (value !== undefined && value !== null) return undefined
  }
  return message as unknown as SnsMessage
}

const textIn = (body: Uint8Array): string => {
  try {
    return utf8.decode(body)
  } catch {
    return ''
  }
}

/** The object that this JSON text is; undefined if it is something else. */
export const objectIn = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

export const asObject = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined

const SIGNED_IN_NOTIFICATIONS = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const
const SIGNED_IN_CONFIRMATIONS = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
] as const

const CONFIRMATIONS: ReadonlySet<string> = new Set(['SubscriptionConfirmation', 'UnsubscribeConfirmation'])

/**
 * What the signature is over.
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
export const signedText = (message: SnsMessage): string =>
  (CONFIRMATIONS.has(message.Type) ? SIGNED_IN_CONFIRMATIONS : SIGNED_IN_NOTIFICATIONS)
    .filter((name) => message[name] !== undefined)
    .map((name) => `${name}\n${message[name]}\n`)
    .join('')

const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
])
const BASE64 = /^[A-Za-z0-9+/]{1,2048}={0,2}$/

/** Whether the holder of the key has signed the message. */
export const isSignedBy = (message: SnsMessage, key: KeyObject): boolean => {
  const algorithm = ALGORITHMS.get(message.SignatureVersion)
  if (algorithm === undefined || !BASE64.test(message.Signature)) return false
  return createVerify(algorithm).update(signedText(message), 'utf8').verify(key, message.Signature, 'base64')
}

const SNS_HOST = /^sns\.[a-z]{2}(?:-[a-z]{2,12}){1,2}-\d{1,2}\.amazonaws\.com$/

/** The URL if it leads to Amazon SNS itself, and nowhere else; undefined if it does not. */
export const asSnsUrl = (text: string | undefined): URL | undefined => {
  const url = text === undefined ? null : URL.parse(text)
  if (url === null || url.protocol !== 'https:' || !SNS_HOST.test(url.hostname)) return undefined
  return url.port === '' && url.username === '' && url.password === '' && url.hash === '' ? url : undefined
}

const CERTIFICATE = /^\/[A-Za-z0-9-]{1,100}\.pem$/

/** Where the certificate is; undefined if the message names a place that is not to be asked. */
export const certificateUrl = ({ SigningCertURL }: SnsMessage): string | undefined => {
  const url = asSnsUrl(SigningCertURL)
  return url && CERTIFICATE.test(url.pathname) && url.search === '' ? url.href : undefined
}

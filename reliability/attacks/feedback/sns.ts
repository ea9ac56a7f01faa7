import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SELF_SIGNED } from '../../../packages/feedback-ses/test/self-signed.ts'
import type { SourceChange } from '../../fault-injection/source-change.ts'

export type SnsFields = Readonly<Record<string, string>>

const HOST = 'sns.eu-west-1.amazonaws.com'
const CERTIFICATE = `/SimpleNotificationService-0123456789abcdef.pem`
export const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces'

/** In place of Amazon: it has one certificate, and counts requests for anything else. */
export class CountingAmazon implements AsyncDisposable {
  /** What must not be asked for. */
  readonly lured: string[] = []
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async open(): Promise<CountingAmazon> {
    const server = createServer()
    const amazon = new CountingAmazon(server)
    server.on('request', ({ url = '' }, response) => {
      const isCertificate = url === `/${HOST}${CERTIFICATE}`
      if (!isCertificate) amazon.lured.push(url)
      response.end(isCertificate ? SELF_SIGNED.cert : '')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return amazon
  }

  /** Has the service ask here whatever it would ask elsewhere. */
  get change(): SourceChange {
    const here = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
    return {
      file: 'packages/feedback-ses/src/get-from.ts',
      find: 'await fetchFrom(url, {',
      replace: `await fetchFrom(url.replace(/^https?:[/][/]/, '${here}'), {`,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

const SIGNED = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']

const signature = (fields: SnsFields, key: KeyObject | string): string => {
  const isNotification = fields.Type === 'Notification'
  const names = SIGNED.filter((name) => fields[name] !== undefined && !(isNotification && name === 'Token'))
  const text = names.map((name) => `${name}\n${fields[name]}\n`).join('')
  return createSign('RSA-SHA256').update(text, 'utf8').sign(key, 'base64')
}

let messages = 0

/** What Amazon would say of a mail to this address that came back. */
const notification = (address: string): SnsFields => ({
  Type: 'Notification',
  MessageId: `message-${++messages}`,
  TopicArn: TOPIC,
  Message: JSON.stringify({
    notificationType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      bouncedRecipients: [{ emailAddress: address, status: '5.1.1', action: 'failed' }],
      timestamp: new Date().toISOString(),
    },
  }),
  Timestamp: new Date().toISOString(),
  SignatureVersion: '2',
  SigningCertURL: `https://${HOST}${CERTIFICATE}`,
})

const signed = (fields: SnsFields, key: KeyObject | string = SELF_SIGNED.key): SnsFields => ({
  ...fields,
  Signature: signature(fields, key),
})

/** As it is to be believed. */
export const genuine = (address: string): SnsFields => signed(notification(address))

const STRANGER = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey

/** By what is wrong with them. */
export const forgedMessages = (victim: string, other: string): Readonly<Record<string, SnsFields>> => {
  const plain = notification(victim)
  const from = (url: string): SnsFields => signed({ ...notification(victim), SigningCertURL: url }, STRANGER)
  const subscription = {
    ...{ ...notification(victim), Type: 'SubscriptionConfirmation', Token: 'token' },
    SubscribeURL: `https://${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=token`,
  }
  return {
    'no signature': plain,
    'an empty signature': { ...plain, Signature: '' },
    'a made-up signature': { ...plain, Signature: Buffer.alloc(256, 7).toString('base64') },
    'signed with another key': signed(plain, STRANGER),
    'another message under a genuine signature': { ...genuine(other), Message: plain.Message ?? '' },
    'another type under a genuine signature': { ...signed({ ...plain, Type: 'Other' }), Type: 'Notification' },
    'another version of signatures': { ...signed(plain), SignatureVersion: '3' },
    'a foreign topic': signed({ ...plain, TopicArn: TOPIC.replace('123456789012', '999999999999') }),
    'a longer topic': signed({ ...plain, TopicArn: `${TOPIC}2` }),
    'our topic over a foreign signature': { ...signed({ ...plain, TopicArn: `${TOPIC}2` }), TopicArn: TOPIC },
    'a certificate of a stranger': from('https://stranger.example/SimpleNotificationService-0123456789abcdef.pem'),
    'a certificate beside Amazon': from(`https://${HOST}.stranger.example${CERTIFICATE}`),
    'a certificate behind a user': from(`https://${HOST}@stranger.example${CERTIFICATE}`),
    'a certificate without TLS': from(`http://${HOST}${CERTIFICATE}`),
    'a certificate on another port': from(`https://${HOST}:8443${CERTIFICATE}`),
    'a certificate in a bucket': from('https://s3.eu-west-1.amazonaws.com/stranger.pem'),
    'a subscription of a foreign topic': signed({ ...subscription, TopicArn: `${TOPIC}2` }),
    'a subscription that leads elsewhere': signed({ ...subscription, SubscribeURL: 'https://stranger.example/' }),
    'the end of a subscription': signed({ ...subscription, Type: 'UnsubscribeConfirmation' }),
  }
}

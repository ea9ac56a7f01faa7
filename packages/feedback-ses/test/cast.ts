import { createSign } from 'node:crypto'
import { createSesVerifier } from '../src/index.ts'
import { type SnsMessage, signedText } from '../src/sns-message.ts'
import { SELF_SIGNED } from './self-signed.ts'

export const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces'
export const CERTIFICATE = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem'
export const NOW = Date.parse('2026-11-23T12:00:00.000Z')

const UNSIGNED = {
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: TOPIC,
  Message: '{}',
  Timestamp: '2026-11-23T11:59:59.000Z',
  SignatureVersion: '2',
  SigningCertURL: CERTIFICATE,
}

/** A message as Amazon SNS sends it, signed with the key of these tests. */
export const signed = (changes: Partial<SnsMessage> = {}): SnsMessage => {
  const message = { ...UNSIGNED, Signature: '', ...changes }
  const algorithm = message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256'
  return { ...message, Signature: createSign(algorithm).update(signedText(message)).sign(SELF_SIGNED.key, 'base64') }
}

/** A verifier of that topic, and what it asked of the network and said in the log. */
export const openVerifier = (
  answers: Readonly<Record<string, () => Response>> = {},
  topics: readonly string[] = [TOPIC],
) => {
  const asked: string[] = []
  const said: string[] = []
  let now = NOW
  const all: Readonly<Record<string, () => Response>> = {
    [CERTIFICATE]: () => new Response(SELF_SIGNED.cert),
    ...answers,
  }
  const verifier = createSesVerifier({
    topics,
    clock: { now: () => now },
    log: (_, message) => said.push(message),
    fetch: async (input, options) => {
      const url = String(input)
      asked.push(url)
      if (options?.redirect !== 'manual') throw new Error('a redirect would be followed')
      return all[url]?.() ?? new Response('', { status: 404 })
    },
  })
  const verify = (message: unknown) =>
    verifier.verify(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), () => undefined)
  return {
    asked,
    said,
    verify,
    advance: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

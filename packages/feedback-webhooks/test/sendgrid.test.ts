import { createSign, generateKeyPairSync } from 'node:crypto'
import { SignatureNotValid } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { createSendgridVerifier, sendgridKey } from '../src/index.ts'

const pair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const { privateKey, publicKey } = pair()
const key = sendgridKey(publicKey.export({ format: 'der', type: 'spki' }).toString('base64'))
if (key === undefined) throw new Error('A key as SendGrid shows it was not taken.')
const verifier = createSendgridVerifier(key)

interface Sent {
  readonly timestamp?: string
  readonly signature?: string | undefined
  readonly signer?: typeof privateKey
}

const take = (reports: unknown, { timestamp = '1794000000', signer = privateKey, ...sent }: Sent = {}) => {
  const body = Buffer.from(JSON.stringify(reports))
  const made = createSign('sha256').update(timestamp).update(body).sign(signer, 'base64')
  const headers = new Map<string, string | undefined>([
    ['x-twilio-email-event-webhook-signature', 'signature' in sent ? sent.signature : made],
    ['x-twilio-email-event-webhook-timestamp', timestamp],
  ])
  return verifier.verify(body, (name) => headers.get(name))
}

const bounce = (more: object = {}) => ({
  ...{ email: 'ada@example.com', timestamp: 1_793_999_999, event: 'bounce', type: 'bounce', sg_event_id: 'e1' },
  ...{ status: '5.1.1', reason: '550 5.1.1 no such user', 'smtp-id': '<x>' },
  ...more,
})

describe('a message of SendGrid', () => {
  it.each([
    ['without a signature', { signature: undefined }],
    ['with another signature', { signature: 'AAAA' }],
    ['with what is no signature', { signature: '"' }],
    ['signed with another key', { signer: pair().privateKey }],
    ['of a time that is none', { timestamp: 'now' }],
  ])('%s is not believed', async (_, sent) => {
    await expect(take([bounce()], sent)).rejects.toThrow(SignatureNotValid)
  })

  it('is not believed once it was changed', async () => {
    const body = Buffer.from(JSON.stringify([bounce()]))
    const signature = createSign('sha256').update('1794000000').update(body).sign(privateKey, 'base64')
    const header = (name: string) => (name.endsWith('signature') ? signature : '1794000000')
    expect(await verifier.verify(body, header)).toHaveLength(1)
    const changed = Buffer.from(JSON.stringify([bounce({ email: 'eve@example.com' })]))
    await expect(verifier.verify(changed, header)).rejects.toThrow(SignatureNotValid)
  })

  it('has bounces, complaints and deliveries', async () => {
    const common = { address: 'ada@example.com', at: '2026-11-06T21:19:59.000Z', providerId: 'e1' }
    expect(
      await take([
        bounce({ timestamp: 1_794_000_000 - 1 }),
        bounce({ event: 'dropped', reason: 'Bounced Address', status: undefined }),
        bounce({ event: 'spamreport' }),
        bounce({ event: 'delivered' }),
        bounce({ status: '', bounce_classification: 'Mailbox Unavailable' }),
      ]),
    ).toEqual([
      { ...common, kind: 'bounce', permanent: true, status: '5.1.1', diagnostic: '550 5.1.1 no such user' },
      { ...common, kind: 'bounce', permanent: true },
      { ...common, kind: 'complaint' },
      { ...common, kind: 'delivery' },
      { ...common, kind: 'bounce', permanent: true, status: undefined, diagnostic: '550 5.1.1 no such user' },
    ])
  })

  it.each([
    ['as text', '1793999999'],
    ['in milliseconds', 1_793_999_999_000],
    ['in milliseconds, as text', '1793999999000'],
    ['with a fraction', 1_793_999_999.0],
  ])('may have its time %s', async (_, timestamp) => {
    expect(await take([bounce({ event: 'spamreport', timestamp })])).toMatchObject([{ at: '2026-11-06T21:19:59.000Z' }])
  })

  it.each([[null], ['soon'], [{}], [Number.MAX_VALUE]])(
    'is as old as its signature if its time is %j',
    async (timestamp) => {
      expect(await take([bounce({ event: 'spamreport', timestamp })])).toMatchObject([
        { at: '2026-11-06T21:20:00.000Z' },
      ])
    },
  )

  // As people report them: what it does not know itself, its words must say.
  it.each([
    ['Invalid Address', '550 Rejected', true],
    ['Unclassified', '550 Rejected', false],
    ['Unclassified', '550 no such user', true],
    [null, '554 Transaction failed', false],
    [null, undefined, true],
  ])('that is found to be %j, with the words %j, is final: %j', async (bounce_classification, reason, permanent) => {
    expect(await take([bounce({ type: null, status: '', bounce_classification, reason })])).toMatchObject([
      { permanent },
    ])
  })

  it.each([
    bounce({ type: 'blocked', reason: '550 5.7.1 spam' }),
    bounce({ type: 'expired', status: '', reason: 'unable to get mx info: failed to get IPs from PTR record' }),
    bounce({ bounce_classification: 'Reputation' }),
    bounce({ event: 'deferred', response: '451 4.2.2 full' }),
    bounce({ event: 'dropped', reason: 'Unsubscribed Address' }),
    bounce({ event: 'open' }),
    null,
    {},
    [],
  ])('says nothing where it is %j', async (report) => {
    expect(await take([report])).toEqual([])
  })
})

it.each([
  '',
  'AAAA',
  'not base64',
  generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
])('%s is no key', (text) => {
  expect(sendgridKey(text)).toBeUndefined()
})

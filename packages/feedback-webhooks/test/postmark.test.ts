import { SignatureNotValid } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { createPostmarkVerifier } from '../src/index.ts'

const SECRET = '0123456789abcdef-not-to-be-guessed'
const warnings: string[] = []
const verifier = createPostmarkVerifier(SECRET, (message) => warnings.push(message))

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const take = (report: unknown, authorization: string | undefined = basic('postmark', SECRET)) =>
  verifier.verify(Buffer.from(typeof report === 'string' ? report : JSON.stringify(report)), (name) =>
    name === 'authorization' ? authorization : undefined,
  )

const bounce = (more: object) => ({
  ...{ RecordType: 'Bounce', ID: 4_323_372_036_854, Type: 'HardBounce', TypeCode: 1, MessageStream: 'outbound' },
  ...{ Email: 'ada@example.com', BouncedAt: '2026-11-05T16:33:54.9070259Z', Inactive: true },
  Details: 'smtp;550 5.1.1 The email account that you tried to reach does not exist.',
  ...more,
})

describe('a message of Postmark', () => {
  it.each([
    ['no password', undefined],
    ['another password', basic('postmark', `${SECRET}x`)],
    ['an empty one', basic('postmark', '')],
    ['the password as the user', basic(SECRET, '')],
    ['another scheme', `Bearer ${SECRET}`],
    ['what is not encoded', `Basic postmark:${SECRET}`],
  ])('with %s is not believed, and the log names neither', async (_, authorization) => {
    await expect(verifier.verify(Buffer.from(JSON.stringify(bounce({}))), () => authorization)).rejects.toThrow(
      SignatureNotValid,
    )
    expect(warnings.join()).not.toMatch(/0123456789abcdef|ada@/)
  })

  it('may have any user, and a password that has a colon', async () => {
    const other = createPostmarkVerifier('with:colon-0123456789')
    const report = Buffer.from(JSON.stringify(bounce({})))
    expect(await other.verify(report, () => basic('x', 'with:colon-0123456789'))).toHaveLength(1)
  })

  it('is a bounce, a complaint or a delivery', async () => {
    expect(await take(bounce({ ID: 17 }))).toEqual([
      {
        ...{ kind: 'bounce', permanent: true, address: 'ada@example.com', at: '2026-11-05T16:33:54.9070259Z' },
        ...{ diagnostic: undefined, providerId: 'Bounce.17' },
      },
    ])
    const soft = { permanent: false, diagnostic: expect.stringContaining('5.1.1') }
    expect(await take(bounce({ Type: 'SoftBounce' }))).toMatchObject([soft])
    const complaint = {
      RecordType: 'SpamComplaint',
      ID: 42,
      Email: 'ada@example.com',
      BouncedAt: '2026-11-05T16:33:54Z',
    }
    expect(await take(complaint)).toMatchObject([{ kind: 'complaint', providerId: 'SpamComplaint.42' }])
    const delivery = {
      RecordType: 'Delivery',
      MessageID: 'm1',
      Recipient: 'ada@example.com',
      DeliveredAt: '2026-11-05T16:33:54Z',
    }
    expect(await take(delivery)).toMatchObject([
      { kind: 'delivery', address: 'ada@example.com', providerId: 'Delivery.m1.ada@example.com' },
    ])
  })

  it('has an id of its own, though that has more digits than a number', async () => {
    const body = (ID: string, MessageID: string) =>
      JSON.stringify(bounce({ MessageID })).replace(/"ID":\d+/, `"ID":${ID}`)
    const [one, other] = [await take(body('4323372036854775807', 'm1')), await take(body('4323372036854775808', 'm2'))]
    expect(one[0]?.providerId).not.toBe(other[0]?.providerId)
  })

  // As people report them: what is missing or null loses nothing that is there.
  it.each([
    [
      { Details: null, BouncedAt: null, MessageID: null },
      { permanent: true, diagnostic: undefined, at: undefined },
    ],
    [{ Type: 'SoftBounce', Details: 'smtp;552 5.2.2 full', Recipient: null }, { permanent: false }],
  ])('may lack %j', async (more, expected) => {
    expect(await take(bounce(more))).toMatchObject([{ kind: 'bounce', address: 'ada@example.com', ...expected }])
  })

  it.each([
    ...['AutoResponder', 'SpamNotification', 'Blocked', 'DnsError', 'Transient', 'Unknown', 'ManuallyDeactivated'].map(
      (Type) => bounce({ Type }),
    ),
    { RecordType: 'Open', Recipient: 'ada@example.com' },
    { RecordType: 'SubscriptionChange', Recipient: 'ada@example.com', SuppressSending: true },
    ...[[], null, 7, 'nonsense', { RecordType: '__proto__' }, {}],
  ])('says nothing where it is %j', async (report) => {
    expect(await take(report)).toEqual([])
  })
})

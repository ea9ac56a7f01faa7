import { SignatureNotValid, Unavailable } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { CERTIFICATE, openVerifier, signed, TOPIC } from './cast.ts'
import { BOUNCE, BOUNCE_EVENT, COMPLAINT, DELIVERY } from './documented.ts'
import { SELF_SIGNED } from './self-signed.ts'

const about = (report: object) => signed({ Message: JSON.stringify(report) })

describe('what Amazon SES reports', () => {
  it('is a bounce of each recipient', async () => {
    expect(await openVerifier().verify(about(BOUNCE))).toEqual([
      {
        kind: 'bounce',
        // The status says so.
        permanent: false,
        status: '5.1.1',
        diagnostic: 'smtp; 550 5.1.1 <jane@example.com>... User',
        address: 'jane@example.com',
        at: '2026-11-23T11:59:38.237Z',
        providerId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324.0',
      },
    ])
  })

  it('is the same as an event that is published', async () => {
    expect(await openVerifier().verify(about(BOUNCE_EVENT))).toMatchObject([
      { kind: 'bounce', permanent: false, status: '5.2.2', address: 'recipient@example.com' },
    ])
  })

  it('is a complaint of each recipient, but not that a mail is no spam', async () => {
    const { verify } = openVerifier()
    expect(await verify(about(COMPLAINT))).toMatchObject([
      { kind: 'complaint', address: 'richard@example.com', providerId: expect.stringMatching(/\.0$/) },
      { kind: 'complaint', address: 'mary@example.com', providerId: expect.stringMatching(/\.1$/) },
    ])
  })

  it.each<[unknown, number]>([
    ...['abuse', 'fraud', 'opt-out', 'other', '', null, undefined].map((type): [unknown, number] => [type, 2]),
    ...['not-spam', 'auth-failure', 'virus', 'something-new', 'constructor', '__proto__', 'toString', 5, {}].map(
      (type): [unknown, number] => [type, 0],
    ),
  ])('is of the type %j: %d complaints', async (complaintFeedbackType, count) => {
    const complaint = { ...COMPLAINT.complaint, complaintFeedbackType }
    expect(await openVerifier().verify(about({ ...COMPLAINT, complaint }))).toHaveLength(count)
  })

  it.each([
    ['Permanent', 'General', { permanent: true, status: undefined }],
    ['Permanent', 'NoEmail', { permanent: true, status: undefined }],
    ['Permanent', 'Suppressed', { permanent: true, status: undefined }],
    ['Permanent', 'OnAccountSuppressionList', { permanent: true, status: undefined }],
    ['Permanent', undefined, { permanent: true, status: undefined }],
    ['Transient', 'General', { permanent: false, status: undefined }],
    ['Transient', 'MailboxFull', { permanent: false, status: '5.2.2' }],
    ...['MessageTooLarge', 'ContentRejected', 'AttachmentRejected', 'SomethingNew', 'constructor', '__proto__'].map(
      (subType) => ['Transient', subType, undefined] as const,
    ),
    ['Undetermined', 'Undetermined', undefined],
    ['Permanent', 'SomethingNew', undefined],
    ['constructor', 'General', undefined],
    [undefined, undefined, undefined],
  ] as const)('is a bounce of the type %s/%s: %j', async (bounceType, bounceSubType, expected) => {
    const bounce = {
      ...BOUNCE.bounce,
      bounceType,
      bounceSubType,
      bouncedRecipients: [{ emailAddress: 'a@example.com' }],
    }
    const items = await openVerifier().verify(about({ ...BOUNCE, bounce }))
    expect(items).toMatchObject(expected === undefined ? [] : [expected])
  })

  it.each([
    ['General', 'smtp; 554 Transaction failed', false],
    ['General', 'smtp; 550 no such user', true],
    ['NoEmail', 'smtp; 554 Transaction failed', true],
    ['OnAccountSuppressionList', 'Amazon SES did not send: see .../sending-email-suppression-list.html', true],
    [null, null, true],
  ])('of the type Permanent/%s with the words %j is final: %j', async (bounceSubType, diagnosticCode, permanent) => {
    const bouncedRecipients = [{ emailAddress: 'a@example.com', diagnosticCode }]
    const bounce = { ...BOUNCE.bounce, bounceType: 'Permanent', bounceSubType, bouncedRecipients }
    expect(await openVerifier().verify(about({ ...BOUNCE, bounce }))).toMatchObject([
      { permanent, ...(bounceSubType !== 'General' && bounceSubType !== null && { diagnostic: undefined }) },
    ])
  })

  it('is no bounce while it is only delayed', async () => {
    const { verify } = openVerifier()
    const [recipient] = BOUNCE.bounce.bouncedRecipients
    const bounce = { ...BOUNCE.bounce, bouncedRecipients: [{ ...recipient, action: 'delayed' }, recipient] }
    expect(await verify(about({ ...BOUNCE, bounce }))).toHaveLength(1)
    const delay = { eventType: 'DeliveryDelay', deliveryDelay: { delayedRecipients: [recipient] } }
    expect(await verify(about(delay))).toEqual([])
  })

  it('is a delivery to each recipient', async () => {
    expect(await openVerifier().verify(about(DELIVERY))).toEqual([
      {
        kind: 'delivery',
        address: 'jane@example.com',
        at: '2026-11-23T11:59:40.000Z',
        providerId: expect.stringMatching(/\.0$/),
      },
    ])
  })

  it('is nothing where it is about something else, or is no report', async () => {
    const { verify } = openVerifier()
    for (const kind of ['Send', 'Open', 'constructor', '__proto__', 'toString'])
      expect(await verify(about({ ...DELIVERY, notificationType: kind }))).toEqual([])
    for (const Message of [
      'Successfully validated SNS topic for Amazon SES event publishing.',
      '[]',
      '{"notificationType":"Bounce"}',
      '{"notificationType":"Bounce","bounce":{"bouncedRecipients":"x"}}',
    ])
      expect(await verify(signed({ Message }))).toEqual([])
  })

  it('is believed with either version of the signature, and with a subject', async () => {
    const { verify } = openVerifier()
    for (const SignatureVersion of ['1', '2'])
      expect(
        await verify(signed({ SignatureVersion, Subject: 'Amazon SES', Message: JSON.stringify(BOUNCE) })),
      ).toHaveLength(1)
  })
})

describe('a message', () => {
  it('is refused where anything that is signed was changed', async () => {
    const { verify, said } = openVerifier()
    const message = about(BOUNCE)
    const changes = [
      { Message: message.Message.replace('jane', 'john') },
      { MessageId: 'another' },
      { Timestamp: '2026-11-23T12:00:00.000Z' },
      { Subject: 'added' },
      { Type: 'SubscriptionConfirmation', SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/', Token: 'x' },
      { SignatureVersion: '1' },
      ...['3', 'constructor', '__proto__', 'toString'].map((SignatureVersion) => ({ SignatureVersion })),
      { Signature: 'AAAA' },
      { Signature: '!' },
    ]
    for (const change of changes) await expect(verify({ ...message, ...change })).rejects.toThrow(SignatureNotValid)
    expect(said).toHaveLength(changes.length)
    expect(said.join()).not.toContain('example.com')
  })

  it('is refused where its topic is not listed, however well it is signed, and nothing is asked for', async () => {
    const { verify, asked } = openVerifier()
    for (const TopicArn of ['arn:aws:sns:eu-west-1:999999999999:bounces', `${TOPIC}2`, TOPIC.toUpperCase()])
      await expect(verify(signed({ TopicArn }))).rejects.toThrow(SignatureNotValid)
    await expect(openVerifier({}, []).verify(signed())).rejects.toThrow(SignatureNotValid)
    expect(asked).toEqual([])
  })

  it.each([
    'http://sns.eu-west-1.amazonaws.com/x.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.example/x.pem',
    'https://evil.example/sns.eu-west-1.amazonaws.com/x.pem',
    'https://sns.eu-west-1.amazonaws.com@evil.example/x.pem',
    'https://user@sns.eu-west-1.amazonaws.com/x.pem',
    'https://sns.eu-west-1.amazonaws.com:8443/x.pem',
    'https://xsns.eu-west-1.amazonaws.com/x.pem',
    'https://sns.evil.amazonaws.com/x.pem',
    'https://sns.eu-west-1.evil.amazonaws.com/x.pem',
    'https://sns.eu-west-1.amazonaws.com/x.pem?y',
    'https://sns.eu-west-1.amazonaws.com/x.pem#y',
    'https://sns.eu-west-1.amazonaws.com/x.crt',
    'https://sns.eu-west-1.amazonaws.com/a/../../x/y.pem',
    'https://s3.eu-west-1.amazonaws.com/x.pem',
    'https://sns.eu-west-1.amazonaws.com./x.pem',
    'https://127.0.0.1/x.pem',
    'not a url',
  ])('is refused where its certificate is at %s, and that is not asked for', async (SigningCertURL) => {
    const { verify, asked } = openVerifier()
    await expect(verify(signed({ SigningCertURL }))).rejects.toThrow(SignatureNotValid)
    expect(asked).toEqual([])
  })

  it('is refused where the certificate leads elsewhere, is missing, malformed, too long or not valid now', async () => {
    const bad = {
      redirect: () => new Response('', { status: 302, headers: { Location: 'https://evil.example/x.pem' } }),
      missing: () => new Response('', { status: 404 }),
      nonsense: () => new Response('nonsense'),
    }
    for (const answer of Object.values(bad)) {
      const { verify, asked } = openVerifier({ [CERTIFICATE]: answer })
      await expect(verify(signed())).rejects.toThrow(SignatureNotValid)
      expect(asked).toEqual([CERTIFICATE])
    }
    const late = openVerifier()
    late.advance(200 * 365 * 86_400_000)
    await expect(late.verify(signed())).rejects.toThrow(SignatureNotValid)
    const long = openVerifier({ [CERTIFICATE]: () => new Response('x'.repeat(65 * 1024)) })
    await expect(long.verify(signed())).rejects.toThrow(Unavailable)
  })

  it('is not refused, but to be sent again, while the certificate cannot be had', async () => {
    let reachable = false
    const { verify } = openVerifier({
      [CERTIFICATE]: () => {
        if (!reachable) throw new TypeError('fetch failed')
        return new Response(SELF_SIGNED.cert)
      },
    })
    await expect(verify(about(BOUNCE))).rejects.toThrow(Unavailable)
    reachable = true
    expect(await verify(about(BOUNCE))).toHaveLength(1)
  })

  it('has its certificate asked for once a day', async () => {
    const { verify, asked, advance } = openVerifier()
    await Promise.all([verify(signed()), verify(signed())])
    advance(86_400_000 - 1)
    await verify(signed())
    expect(asked).toHaveLength(1)
    advance(1)
    await verify(signed())
    expect(asked).toHaveLength(2)
  })

  it('has ten unknown certificates a minute asked for at most', async () => {
    const { verify, asked, advance } = openVerifier()
    const at = (n: number) => verify(signed({ SigningCertURL: CERTIFICATE.replace('abcdef', `x${n}`) }))
    for (let n = 0; n < 10; n++) await expect(at(n)).rejects.toThrow(SignatureNotValid)
    await expect(at(10)).rejects.toThrow(Unavailable)
    expect(asked).toHaveLength(10)
    advance(60_000)
    await expect(at(11)).rejects.toThrow(SignatureNotValid)
  })

  it('is refused where it is no message of Amazon SNS', async () => {
    const { verify } = openVerifier()
    const { Signature: _, ...unsigned } = signed()
    for (const body of [
      '',
      'x',
      '[]',
      'null',
      '{}',
      JSON.stringify(unsigned),
      { ...signed(), TopicArn: 5 },
      { ...signed(), Subject: {} },
    ])
      await expect(verify(body)).rejects.toThrow(SignatureNotValid)
    await expect(openVerifier().verify(`\uFEFF${'{'.repeat(100_000)}`)).rejects.toThrow(SignatureNotValid)
  })

  it('of a kind that is not known is taken, and reports nothing', async () => {
    expect(await openVerifier().verify(signed({ Type: 'SomethingNew', Message: JSON.stringify(BOUNCE) }))).toEqual([])
  })
})

describe('the subscription to a topic', () => {
  const subscribeUrl = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37`
  const confirmation = (SubscribeURL = subscribeUrl, changes = {}) =>
    signed({ Type: 'SubscriptionConfirmation', Token: '2336412f37', SubscribeURL, ...changes })

  it('is confirmed where Amazon SNS asks for it, for a topic that is listed', async () => {
    const { verify, asked } = openVerifier({ [subscribeUrl]: () => new Response('<ConfirmSubscriptionResponse/>') })
    expect(await verify(confirmation())).toEqual([])
    expect(asked).toEqual([CERTIFICATE, subscribeUrl])
  })

  it('is not confirmed for another topic, without a signature, or at another place', async () => {
    const { verify, asked } = openVerifier()
    const other = subscribeUrl.replace(TOPIC, 'arn:aws:sns:eu-west-1:999999999999:x')
    const refused = [
      confirmation(subscribeUrl, { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:x' }),
      { ...confirmation(), Token: 'changed' },
      confirmation(other),
      confirmation(subscribeUrl.replace('ConfirmSubscription', 'Publish')),
      confirmation(subscribeUrl.replace('sns.eu-west-1.amazonaws.com', 'evil.example')),
      confirmation(subscribeUrl.replace('https', 'http')),
      signed({ Type: 'SubscriptionConfirmation', Token: 'x' }),
    ]
    for (const message of refused) await expect(verify(message)).rejects.toThrow(SignatureNotValid)
    expect(asked).toEqual([CERTIFICATE])
  })

  it('is to be asked for again where Amazon SNS did not answer well, and no redirect is followed', async () => {
    const { verify, asked } = openVerifier({
      [subscribeUrl]: () => new Response('', { status: 302, headers: { Location: 'https://evil.example/' } }),
    })
    await expect(verify(confirmation())).rejects.toThrow(Unavailable)
    expect(asked).toEqual([CERTIFICATE, subscribeUrl])
  })

  it('is left as it is when it ends: that link is never followed', async () => {
    const { verify, asked, said } = openVerifier()
    expect(await verify(confirmation(subscribeUrl, { Type: 'UnsubscribeConfirmation' }))).toEqual([])
    expect(asked).toEqual([CERTIFICATE])
    expect(said.join()).toContain('has ended')
  })
})

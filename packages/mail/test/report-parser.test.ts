import { describe, expect, it } from 'vitest'
import { createReportParser } from '../src/index.ts'

const TOKEN = '8127340912345678.0123456789abcdef0123456789abcdef'

const parse = (text: string) => createReportParser().parse(Buffer.from(text.replaceAll('\n', '\r\n')))

const multipart = (type: string, ...parts: readonly string[]): string => `From: MAILER-DAEMON@mx.example.com
To: bounces@news.example.com
Message-ID: <1@mx.example.com>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${type};
 boundary="B"

${parts.map((part) => `--B\n${part}\n`).join('')}--B--
`

const TEXT = 'Content-Type: text/plain\n\nYour mail could not be delivered.\n'
const ORIGINAL = `Content-Type: message/rfc822

From: News <news@example.com>
List-Unsubscribe:
 <https://news.example.com/unsubscribe/${TOKEN}>
Subject: Confirm

Hello`

const statusOf = (...groups: readonly string[]): string =>
  `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.com\n\n${groups.join('\n\n')}\n`

const FAILED =
  'Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no\n such user'
const DELAYED = 'Final-Recipient: rfc822; ada@example.com\nAction: delayed\nStatus: 4.4.1 (connection timed out)'
const DELIVERED = 'Final-Recipient: rfc822; ada@example.com\nAction: delivered\nStatus: 2.0.0'

describe('a delivery status notification', () => {
  const failureOf = async (...groups: readonly string[]) =>
    await parse(multipart('delivery-status', TEXT, statusOf(...groups), ORIGINAL))

  it('says of a failure whether it was final, and its status', async () => {
    expect(await failureOf(FAILED)).toEqual({
      kind: 'bounce',
      failure: { permanent: true, status: '5.1.1' },
      id: '<1@mx.example.com>',
    })
    expect(await failureOf(DELAYED)).toMatchObject({ failure: { permanent: false, status: '4.4.1' } })
    expect(await failureOf(FAILED.replace('Status: 5.1.1\n', ''))).toMatchObject({
      failure: { permanent: true, status: undefined },
    })
  })

  it('says nothing of a delivery, and of several recipients what was worst', async () => {
    expect(await failureOf(DELIVERED)).toMatchObject({ kind: 'bounce', failure: undefined })
    expect(await failureOf(DELIVERED, DELAYED, FAILED)).toMatchObject({ failure: { permanent: true } })
  })

  it('has an id from its bytes where it has no Message-ID', async () => {
    const text = multipart('delivery-status', TEXT, statusOf(FAILED)).replace('Message-ID: <1@mx.example.com>\n', '')
    const ids = [await parse(text), await parse(text), await parse(`${text} `)].map(
      (found) => found?.kind === 'bounce' && found.id,
    )
    expect(ids[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
  })
})

describe('a feedback report', () => {
  const report = (type: string) =>
    `Content-Type: message/feedback-report\n\nFeedback-Type: ${type}\nUser-Agent: Example/1\nVersion: 1\n`

  it('has the unsubscribe links of the mail that it is about, folded or not', async () => {
    const whole = `Content-Type: text/rfc822-headers\n\nList-Unsubscribe: <https://news.example.com/base/unsubscribe/${TOKEN}>\n`
    for (const original of [ORIGINAL, whole])
      expect(await parse(multipart('feedback-report', TEXT, report('abuse'), original))).toEqual({
        kind: 'complaint',
        links: [TOKEN],
      })
  })

  it('has those in a text that is wrapped, and none of another kind', async () => {
    const quoted = ORIGINAL.replace(/List-Unsubscribe:[^>]*>\n/, '').replace(
      'Hello',
      `https://news.example.com/unsubscribe/${TOKEN.slice(0, 20)}=\n${TOKEN.slice(20)}\nhttps://news.example.com/confirm/${TOKEN}`,
    )
    expect(await parse(multipart('feedback-report', TEXT, report('abuse'), quoted))).toMatchObject({ links: [TOKEN] })
    const none = ORIGINAL.replace('unsubscribe/8', 'confirm/8')
    expect(await parse(multipart('feedback-report', TEXT, report('fraud'), none))).toMatchObject({ links: [] })
  })

  it('has no link that stands in its own words only', async () => {
    const words = TEXT.replace('Your mail', `https://news.example.com/unsubscribe/${TOKEN}`)
    expect(await parse(multipart('feedback-report', words, report('abuse')))).toMatchObject({ links: [] })
  })

  it('that a mail is no spam is no complaint', async () => {
    expect(await parse(multipart('feedback-report', TEXT, report('not-spam'), ORIGINAL))).toBeUndefined()
  })
})

describe('any other message', () => {
  it.each([
    ['nothing', ''],
    ['an answer of a person', 'From: ada@example.com\nSubject: Re: Confirm\n\nI am on holiday until Monday. 5.1.1'],
    ['a report without its parts', multipart('delivery-status', TEXT)],
    ['bytes', '\u0000\u0001\u0002'.repeat(1_000)],
  ])('is no report: %s', async (_, text) => {
    expect(await parse(text)).toBeUndefined()
  })

  it('is no report where it is longer than 1 MiB, or nested deeper than mails are', async () => {
    const long = multipart('delivery-status', TEXT, statusOf(FAILED)).replace('Your', 'x'.repeat(1024 * 1024))
    expect(await parse(long)).toBeUndefined()
    const nested = Array.from({ length: 300 }, (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\n\n--b${n}\n`)
    expect(await parse(`MIME-Version: 1.0\n${nested.join('')}${statusOf(FAILED)}`)).toBeUndefined()
  })
})

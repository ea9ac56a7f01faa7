import { expect, it } from 'vitest'
import { administered } from './administered.ts'
import { eventually } from './eventually.ts'
import { MailSink } from './mail-sink.ts'
import { runInProcess } from './run-in-process.ts'
import { Home } from './running-service.ts'

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces'

const open = async (sink: MailSink) => {
  const settings = { SMTP_URL: sink.url, BOUNCE_ADDRESS: 'Bounces@News.example.com', FEEDBACK_SES_TOPICS: TOPIC }
  const home = await Home.make(settings)
  await home.serveInProcess()
  const { ask } = await administered(home)
  const undeliverable = async () => (await ask('GET', '/undeliverable')).value.items
  return { home, ask, undeliverable }
}

const reportOf = (recipient: string): string =>
  [
    ...[
      'From: MAILER-DAEMON@mx.example.com',
      `To: ${recipient}`,
      'Message-ID: <1@mx.example.com>',
      'MIME-Version: 1.0',
    ],
    ...['Content-Type: multipart/report; report-type=delivery-status; boundary=B', ''],
    ...['--B', 'Content-Type: text/plain', '', 'It could not be delivered.'],
    ...['--B', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example.com', ''],
    ...['Final-Recipient: rfc822; someone-else@example.com', 'Action: failed', 'Status: 5.1.1', '', '--B--', ''],
  ].join('\r\n')

it('believes a report that came to where our mail came from, by the command, beside a running service', async () => {
  await using sink = await MailSink.open()
  const { home, undeliverable } = await open(sink)
  await using _ = home
  await home.signUp('ada@example.com')
  await eventually(() => sink.mails.length === 1)
  const from = sink.mails[0]?.from ?? ''
  expect(from).toMatch(/^bounces\+[0-9a-z]+\.\d+\.1[0-9a-f]{20}@news\.example\.com$/)
  const report = async (recipient: string) =>
    await runInProcess(['feedback', 'dsn', '--recipient', recipient, '--json'], {
      folder: home.folder,
      environment: home.environment(),
      stdin: reportOf(recipient),
    })
  expect(JSON.parse((await report('bounces@news.example.com')).stdout)).toMatchObject({ outcome: 'ignored' })
  expect(await undeliverable()).toEqual([])
  expect(await report(from)).toEqual({ code: 0, stdout: '{"outcome":"recorded","kind":"bounce"}\n', stderr: '' })
  expect(await undeliverable()).toMatchObject([{ state: 'undeliverable', status: '5.1.1' }])
})

it("takes the relay's refusal of a recipient for a bounce", async () => {
  await using sink = await MailSink.open()
  sink.refused.add('ada@example.com')
  const { home, undeliverable } = await open(sink)
  await using _ = home
  await home.signUp('ada@example.com')
  await eventually(async () => (await undeliverable()).length === 1)
  expect(await undeliverable()).toMatchObject([{ state: 'undeliverable', status: '5.1.1' }])
})

it('believes no message to POST /feedback/ses of a topic that it does not know, nor one without a signature', async () => {
  await using sink = await MailSink.open()
  const { home, undeliverable } = await open(sink)
  await using _ = home
  const bounce = {
    notificationType: 'Bounce',
    bounce: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: 'ada@example.com' }] },
  }
  const message = {
    ...{ Type: 'Notification', MessageId: 'x', Message: JSON.stringify(bounce), Timestamp: '2026-11-23T12:00:00.000Z' },
    ...{ SignatureVersion: '2', Signature: 'AAAA', SigningCertURL: 'https://evil.example/x.pem' },
  }
  for (const TopicArn of [TOPIC, `${TOPIC}2`]) {
    const answer = await fetch(`${home.url}/feedback/ses`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain; charset=UTF-8' },
      body: JSON.stringify({ ...message, TopicArn }),
    })
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([403, 'SignatureNotValid'])
  }
  expect(await undeliverable()).toEqual([])
})

it('believes what Postmark reports with the secret alone', async () => {
  await using sink = await MailSink.open()
  const secret = '0123456789abcdef'
  await using home = await Home.make({ SMTP_URL: sink.url, FEEDBACK_POSTMARK_SECRET: secret })
  await home.serveInProcess()
  const { ask } = await administered(home)
  const report = async (password: string) => {
    const { status } = await fetch(`${home.url}/feedback/postmark`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`postmark:${password}`)}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ RecordType: 'Bounce', ID: 1, Type: 'HardBounce', Email: 'ada@example.com' }),
    })
    return [status, (await ask('GET', '/undeliverable')).value.items.length]
  }
  expect(await report('fedcba9876543210')).toEqual([403, 0])
  expect(await report(secret)).toEqual([200, 1])
})

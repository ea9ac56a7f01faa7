import { expect, it } from 'vitest'
import { administered } from './administered.ts'
import { eventually } from './eventually.ts'
import { MailSink } from './mail-sink.ts'
import { runInProcess } from './run-in-process.ts'
import { Home } from './running-service.ts'

const open = async (settings: Readonly<Record<string, string>>) => {
  const home = await Home.make(settings)
  await home.serveInProcess()
  const { ask } = await administered(home)
  const undeliverable = async () => (await ask('GET', '/undeliverable')).value.items
  return { home, undeliverable }
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

it("believes a report that came to where our mail came from, by the command, and the relay's refusal", async () => {
  await using sink = await MailSink.open()
  sink.refused.add('eve@example.com')
  const { home, undeliverable } = await open({ SMTP_URL: sink.url, BOUNCE_ADDRESS: 'Bounces@News.example.com' })
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
  const bounced = { state: 'undeliverable', status: '5.1.1' }
  expect(await undeliverable()).toMatchObject([bounced])
  await home.signUp('eve@example.com')
  await eventually(async () => (await undeliverable()).length === 2)
  expect(await undeliverable()).toMatchObject([bounced, bounced])
})

it('believes what Postmark reports with the secret alone', async () => {
  const secret = '0123456789abcdef'
  const { home, undeliverable } = await open({ FEEDBACK_POSTMARK_SECRET: secret })
  await using _ = home
  const report = async (password: string) => {
    const { status } = await fetch(`${home.url}/feedback/postmark`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`postmark:${password}`)}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ RecordType: 'Bounce', ID: 1, Type: 'HardBounce', Email: 'ada@example.com' }),
    })
    return [status, (await undeliverable()).length]
  }
  expect(await report('fedcba9876543210')).toEqual([403, 0])
  expect(await report(secret)).toEqual([200, 1])
})

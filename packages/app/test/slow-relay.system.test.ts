import { expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { MailSink } from './mail-sink.ts'
import { Home } from './running-service.ts'

const MINUTES = 10 * 60_000

/** A service that has given the relay a mail, and waits for the answer. */
const withSlowRelay = async (sink: MailSink, settings: Readonly<Record<string, string>>) => {
  sink.delay = MINUTES
  const home = await Home.make({ SMTP_URL: sink.url, ...settings })
  const server = await home.serve()
  expect((await home.signUp('ada@example.com')).status).toBe(200)
  await eventually(() => sink.mails.length === 1, 'that the relay has the mail')
  return { home, server }
}

/** Waits until the mail is held back, and says why. */
const heldBack = async (home: Home): Promise<Record<string, unknown>> => {
  let mail: Record<string, unknown> | undefined
  await eventually(async () => {
    const { stdout } = await home.run('outbox', 'list', '--json')
    mail = JSON.parse(stdout).items[0]
    return /may have been delivered/.test(String(mail?.last_error))
  }, 'that the mail is held back')
  return mail ?? {}
}

const isInTenMinutes = ({ not_before }: Record<string, unknown>): boolean => {
  const left = Date.parse(String(not_before)) - Date.now()
  return left > MINUTES - 60_000 && left <= MINUTES
}

it('ends in its time although the relay has not answered, and makes no copy when it starts again', async () => {
  await using sink = await MailSink.open()
  const { home, server } = await withSlowRelay(sink, { SHUTDOWN_TIMEOUT: '1s' })
  await using _ = home
  expect(await server.kill('SIGTERM')).toMatchObject({ code: 0, signal: null })
  await home.serve()
  expect(await heldBack(home)).toSatisfy(isInTenMinutes)
  expect(sink.mails).toHaveLength(1)
})

it('gives up a dot as it is set to, and says why', async () => {
  await using sink = await MailSink.open()
  const { home } = await withSlowRelay(sink, { SMTP_TIMEOUTS: 'dot=1s' })
  await using _ = home
  const mail = await heldBack(home)
  expect(mail).toSatisfy(isInTenMinutes)
  expect(mail.last_error).toMatch(/no answer to the message within 1 s/)
  expect(sink.mails).toHaveLength(1)
})

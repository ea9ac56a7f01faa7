import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { MEMORY_SETTINGS } from '../memory/memory-service.ts'
import { createUseCases, type MailReport } from '../src/index.ts'
import { deliver, lastMailOf, subscribe } from './cast.ts'
import { stateOf } from './feedback.ts'

const BASE = 'bounces@news.example.com'
const ADA = 'ada@example.com'
const FAILED: MailReport = { kind: 'bounce', failure: { permanent: true, status: '5.1.1' }, id: 'r1' }

/** A mailbox with these messages, each read as this report, after a mail to Ada. */
const mailed = async (report: MailReport | undefined, messages: (recipient: string) => readonly string[]) => {
  const at = openMemoryService({ bounceAddress: BASE })
  await subscribe(at, ADA)
  await deliver(at)
  at.reportParser.report = report
  const inbox = messages(lastMailOf(at).returnTo ?? '')
  const taken: string[] = []
  const reportMailbox = {
    read: async (take: (message: Uint8Array) => Promise<boolean>) => {
      for (const message of inbox) if (await take(new TextEncoder().encode(message))) taken.push(message)
      return { taken: taken.length, left: inbox.length - taken.length, more: false }
    },
    close: () => undefined,
  }
  const { readReports } = createUseCases({ ...at.ports, reportMailbox }, { ...MEMORY_SETTINGS, bounceAddress: BASE })
  return { at, taken, round: await readReports.execute() }
}

const message = (...fields: readonly string[]) => [...fields, '', 'It could not be delivered.'].join('\r\n')

describe('a mailbox of reports', () => {
  it.each([
    ['To', (to: string) => message('From: MAILER-DAEMON@mx.example.com', `To: <${to.toUpperCase()}>`)],
    ['Delivered-To', (to: string) => message(`Delivered-To: ${to}`, 'To: bounces@news.example.com')],
    [
      'X-Original-To, after a long field',
      (to: string) => message(`X-Spam: ${'x '.repeat(9_000)}`, `X-Original-To: ${to}`),
    ],
  ])('is read as a mail server hands reports over, with the address in %s', async (_, of) => {
    const { at, round } = await mailed(FAILED, (to) => [of(to)])
    expect([round.taken, round.left, await stateOf(at, ADA)]).toEqual([1, 0, 'undeliverable'])
  })

  it('leaves what came to another address, or has ours only in its text, and what is no report', async () => {
    const forged = (to: string) => to.replace(/[0-9a-f]{20}@/, `${'0'.repeat(20)}@`)
    const { at, round } = await mailed(FAILED, (to) => [
      message(`To: ${forged(to)}`),
      message('To: someone@example.com', `X-Other: x${to}`),
      `${message('To: someone@example.com')}\r\nTo: ${to}`,
      message(`To: ${to}.example`),
    ])
    expect([round.taken, round.left, await stateOf(at, ADA)]).toEqual([0, 4, 'ok'])
    const none = await mailed(undefined, (to) => [message(`To: ${to}`)])
    expect(none.round).toMatchObject({ taken: 0, left: 1 })
  })

  it('takes a report that changes nothing, so that it is not in the way', async () => {
    const { at, round } = await mailed({ kind: 'other' }, (to) => [message(`To: ${to}`)])
    expect([round.taken, await stateOf(at, ADA)]).toEqual([1, 'ok'])
  })

  it('is none where none is set up', async () => {
    expect(await openMemoryService().useCases.readReports.execute()).toEqual({ taken: 0, left: 0, more: false })
  })
})

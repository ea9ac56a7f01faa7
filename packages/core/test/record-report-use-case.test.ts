import { describe, expect, it } from 'vitest'
import { MEMORY_SETTINGS } from '../memory/memory-service.ts'
import { type Caller, createUseCases, DAY, LinkTokens, type MailReport } from '../src/index.ts'
import {
  ADMIN,
  AUDITOR,
  auditOf,
  consentsOf,
  deliver,
  lastMailOf,
  type Service,
  stored,
  subscribe,
  tokenIn,
} from './cast.ts'
import { confirmed, openWithFeeds, stateOf } from './feedback.ts'
import { withMove } from './moves.ts'

const ADA = 'ada@example.com'
const BASE = 'bounces@news.example.com'
const FAILED: MailReport = { kind: 'bounce', failure: { permanent: true, status: '5.1.1' }, id: 'r1' }

/** A service that reads every message as this report, after a mail to Ada. */
const mailed = async (report: MailReport | undefined = FAILED) => {
  const at = await openWithFeeds('weekly')
  const { id } = await subscribe(at, ADA)
  await deliver(at)
  const mail = lastMailOf(at)
  const take = (recipient: string, by: Caller = ADMIN) => take_(at, report, recipient, by)
  return { at, id, mail, take, recipient: mail.returnTo ?? '' }
}

const take_ = async (at: Service, report: MailReport | undefined, recipient: string, by: Caller) => {
  at.reportParser.report = report
  return await at.useCases.recordReport.execute({ recipient, message: new Uint8Array() }, by)
}

describe('a report of a mail server', () => {
  it('that came to where our mail came from makes the address undeliverable', async () => {
    const { at, take, recipient } = await mailed()
    expect(await take(recipient)).toEqual({ outcome: 'recorded', kind: 'bounce' })
    expect(await stateOf(at, ADA)).toBe('undeliverable')
    expect((await auditOf(at)).at(-1)).toMatchObject({ action: 'feedback.record', count: 1 })
  })

  it('is believed whatever case a server wrote its address in', async () => {
    const { at, take, recipient } = await mailed()
    await take(recipient.toUpperCase())
    expect(await stateOf(at, ADA)).toBe('undeliverable')
  })

  it('is ignored where it came to another address, or to one that was changed', async () => {
    const { at, take, recipient } = await mailed()
    const another = recipient.replace(/[0-9a-f]{20}@/, `${'0'.repeat(20)}@`)
    const later = recipient.replace(/\.(\d{5})\./, (_, day: string) => `.${Number(day) + 1}.`)
    const elsewhere = recipient.replace('news.example.com', 'example.com')
    for (const address of [BASE, another, later, elsewhere, ADA, '', 'bounces+@news.example.com', `x${recipient}`])
      expect(await take(address)).toMatchObject({ outcome: 'ignored' })
    expect(await stateOf(at, ADA)).toBe('ok')
  })

  it('is ignored more than 14 days after the mail', async () => {
    const { at, take, recipient } = await mailed()
    at.clock.advance(15 * DAY)
    expect(await take(recipient)).toMatchObject({ outcome: 'ignored' })
    expect(await stateOf(at, ADA)).toBe('ok')
  })

  it('is good on the fourteenth day', async () => {
    const { at, take, recipient } = await mailed()
    at.clock.advance(14 * DAY)
    await take(recipient)
    expect(at.clock.now()).toBeGreaterThan(0)
    expect(await take(recipient)).toMatchObject({ outcome: 'recorded' })
  })

  it('counts once: the same again after a lift changes nothing', async () => {
    const { at, take, recipient } = await mailed()
    await take(recipient)
    await at.useCases.liftUndeliverable.execute({ address: ADA }, ADMIN)
    await take(recipient)
    expect(await stateOf(at, ADA)).toBe('ok')
  })

  it('is ignored where it reports no failure, or is no report', async () => {
    const nothing = await mailed({ kind: 'other' })
    expect(await nothing.take(nothing.recipient)).toMatchObject({ outcome: 'ignored' })
    const { at, recipient } = await mailed()
    expect(await take_(at, undefined, recipient, ADMIN)).toMatchObject({ outcome: 'ignored' })
    expect(await stateOf(at, ADA)).toBe('ok')
  })

  it.each([
    ['of an automatic reply or a delay', { permanent: false, status: undefined }],
    ['of refused content', { permanent: true, status: '5.6.0' }],
    ['of a policy in the words of a server', { permanent: true, status: '5.0.0', diagnostic: 'smtp; 550 5.7.1 no' }],
  ])('%s is ignored, and leaves nothing in the trail', async (_, failure) => {
    const { at, take, recipient } = await mailed({ kind: 'bounce', failure, id: 'r3' })
    const before = (await auditOf(at)).length
    expect(await take(recipient)).toMatchObject({ outcome: 'ignored' })
    expect([await stateOf(at, ADA), (await auditOf(at)).length]).toEqual(['ok', before])
  })

  it('of a delivery ends that the address fails', async () => {
    const failed = { permanent: true, status: '5.2.2' }
    const { at, take, recipient } = await mailed({ kind: 'bounce', failure: failed, id: 'r4' })
    expect(await take(recipient)).toEqual({ outcome: 'recorded', kind: 'bounce' })
    expect(await stateOf(at, ADA)).toBe('failing')
    const report: MailReport = { kind: 'delivery', id: 'r5' }
    expect(await take_(at, report, BASE, ADMIN)).toMatchObject({ outcome: 'ignored' })
    expect(await take_(at, report, recipient, ADMIN)).toEqual({ outcome: 'recorded', kind: 'delivery' })
    expect(await stateOf(at, ADA)).toBe('ok')
  })

  it('is for those who may report', async () => {
    const { take, recipient } = await mailed()
    await expect(take(recipient, AUDITOR)).rejects.toThrow('requires')
  })
})

describe('a complaint that a provider mails', () => {
  it('counts once, also if its message stays in the mailbox and is read again', async () => {
    const { at, id, mail } = await mailed()
    const complaint = { kind: 'complaint', id: 'r1', links: [tokenIn(mail, 'unsubscribe')] } as const
    await take_(at, complaint, BASE, ADMIN)
    at.clock.advance(DAY)
    await subscribe(at, ADA)
    expect(await take_(at, complaint, BASE, ADMIN)).toMatchObject({ outcome: 'recorded' })
    expect(await stored(at, id)).toMatchObject({ status: 'pending' })
  })

  it('ends the subscription whose unsubscribe link is in it, that one alone, and stops no other mail', async () => {
    const { at, id, mail } = await mailed()
    const weekly = await confirmed(at, ADA, 'weekly')
    const links = ['1.00000000000000000000000000000000', tokenIn(mail, 'unsubscribe')]
    expect(await take_(at, { kind: 'complaint', id: 'r1', links }, BASE, ADMIN)).toEqual({
      outcome: 'recorded',
      kind: 'complaint',
    })
    expect([(await stored(at, id)).status, (await stored(at, weekly)).status]).toEqual(['ended', 'confirmed'])
    expect((await consentsOf(at, id)).at(-1)).toMatchObject({ deed: 'ended', via: 'complaint:root' })
    expect((await at.useCases.listSuppressions.execute({}, ADMIN)).items).toEqual([])
  })

  it.each([
    ['ends what the subscription has become by a change of address', false, 'ended'],
    ['leaves that if somebody, anybody, has sent the form for the old one: it ends only one', true, 'confirmed'],
  ])('%s', async (_, isAskedFor, status) => {
    const { at, ids, made } = await withMove()
    if (isAskedFor) await subscribe(at, ADA)
    const { recordReport } = createUseCases(at.ports, { ...MEMORY_SETTINGS, bounceAddress: BASE })
    const links = [new LinkTokens(at.ports).signId('unsubscribe', ids.default)]
    at.reportParser.report = { kind: 'complaint', id: 'r1', links }
    await recordReport.execute({ recipient: BASE, message: new Uint8Array() }, ADMIN)
    expect([(await stored(at, ids.default)).status, (await stored(at, made)).status]).toEqual(['ended', status])
  })

  it('is ignored without such a link, and where it came to another address', async () => {
    const { at, id, mail, recipient } = await mailed()
    const confirmLink = tokenIn(mail, 'confirm')
    const forged = [confirmLink, `${id}.${'0'.repeat(32)}`]
    expect(await take_(at, { kind: 'complaint', id: 'r2', links: forged }, recipient, ADMIN)).toMatchObject({
      outcome: 'ignored',
    })
    const links = [tokenIn(mail, 'unsubscribe')]
    expect(await take_(at, { kind: 'complaint', id: 'r1', links }, ADA, ADMIN)).toMatchObject({ outcome: 'ignored' })
    expect((await stored(at, id)).status).toBe('pending')
  })
})

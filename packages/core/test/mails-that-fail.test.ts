import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { DAY, HOUR, type Mail, SECOND } from '../src/index.ts'
import { ADMIN, confirm, deliver, lastMailOf, mailsOf, outboxOf, type Service, subscribe, tokenIn } from './cast.ts'
import { EMAIL, failWith, heal, REFUSED, withMail } from './deliveries.ts'

describe('a mail that fails for now', () => {
  it('is the same message at each try, with longer and longer waits', async () => {
    const { at } = await withMail()
    const seen: Mail[] = []
    at.transport.otherSide = async (mail) => {
      seen.push(mail)
      throw new Error('451 try again')
    }
    const waits: number[] = []
    for (let n = 0; n < 6; n++) {
      const round = await deliver(at)
      expect(round).toMatchObject({ claimed: 1, sent: 0, failures: [{ parked: false }] })
      const [entry] = await outboxOf(at)
      expect(entry).toMatchObject({ attempts: n + 1, lastError: '451 try again', parkedAt: undefined })
      waits.push((entry?.notBefore ?? 0) - at.clock.now())
      at.clock.advance(waits.at(-1)! - 1)
      expect((await deliver(at)).claimed).toBe(0)
      at.clock.advance(1)
    }
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(2.5 * SECOND * 2 ** n)
      expect(wait).toBeLessThanOrEqual(5 * SECOND * 2 ** n)
    }
    expect(new Set(seen.map((mail) => JSON.stringify(mail))).size).toBe(1)
    heal(at)
    expect((await deliver(at)).sent).toBe(1)
    expect(await outboxOf(at)).toEqual([])
  })

  it('waits for a person after two days', async () => {
    const { at } = await withMail()
    failWith(at, new Error('busy'))
    for (let hours = 0; hours < 48; hours++) {
      expect((await deliver(at)).failures).toMatchObject([{ parked: false }])
      at.clock.advance(HOUR)
    }
    expect((await deliver(at)).failures).toMatchObject([{ parked: true, entry: { kind: 'confirmation' } }])
    expect(await outboxOf(at)).toMatchObject([{ parkedAt: at.clock.now(), lastError: 'busy', attempts: 49 }])
    at.clock.advance(DAY)
    expect((await deliver(at)).claimed).toBe(0)
  })
})

describe('a mail that was given up', () => {
  const giveUp = async (at: Service) => {
    failWith(at, REFUSED)
    await deliver(at)
    expect(await outboxOf(at)).toMatchObject([{ parkedAt: at.clock.now() }])
    heal(at)
    at.clock.advance(DAY)
  }
  const withConfirmed = async () => {
    const { at, id } = await withMail()
    await deliver(at)
    await confirm(at, tokenIn(lastMailOf(at), 'confirm'))
    at.clock.advance(DAY)
    return { at, id }
  }
  const askForPreferences = (at: Service) => at.useCases.requestPreferences.execute({ email: EMAIL })

  it.each([
    ['confirmation', withMail, subscribe],
    ['already-subscribed', withConfirmed, subscribe],
    ['preferences', withConfirmed, askForPreferences],
  ] as const)('keeps no other %s from its reader, who gets one', async (kind, begin, ask) => {
    const { at } = await begin()
    if (kind !== 'confirmation') await ask(at, EMAIL)
    await giveUp(at)
    await ask(at, EMAIL)
    expect(await outboxOf(at)).toMatchObject([{ kind, parkedAt: undefined }])
    const before = mailsOf(at).length
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(before + 1)
    expect(await outboxOf(at)).toEqual([])
  })
})

describe('a mail about several feeds that was given up', () => {
  const FEEDS = { feed: undefined, feeds: ['a', 'b'] }
  const withSeveral = async () => {
    const at = openMemoryService()
    for (const name of ['a', 'b']) await at.useCases.putFeed.execute({ name }, ADMIN)
    await subscribe(at, EMAIL, FEEDS)
    failWith(at, REFUSED)
    await deliver(at)
    heal(at)
    return at
  }

  it('goes if another takes its place for all of them, and stays for those for which none does', async () => {
    const at = await withSeveral()
    at.clock.advance(DAY)
    await subscribe(at, EMAIL, FEEDS)
    expect(await outboxOf(at)).toMatchObject([{ parkedAt: undefined }])
    const there = await withSeveral()
    there.clock.advance(DAY)
    await subscribe(there, EMAIL, { feed: 'a' })
    expect(await outboxOf(there)).toMatchObject([{ parkedAt: expect.any(Number) }, { parkedAt: undefined }])
  })

  it('keeps another from being tried for an hour, as a refusal counts in no cap', async () => {
    const at = await withSeveral()
    at.clock.advance(HOUR - 1)
    await subscribe(at, EMAIL, FEEDS)
    expect(await outboxOf(at)).toMatchObject([{ parkedAt: expect.any(Number) }])
    at.clock.advance(1)
    await subscribe(at, EMAIL, FEEDS)
    expect(await outboxOf(at)).toMatchObject([{ parkedAt: undefined }])
  })
})

describe('a mail that is refused permanently', () => {
  it('waits for a person at once, who may have it tried again', async () => {
    const { at } = await withMail()
    failWith(at, REFUSED)
    expect((await deliver(at)).failures).toMatchObject([{ parked: true, error: REFUSED }])
    const [entry] = await outboxOf(at)
    expect(entry).toMatchObject({ parkedAt: at.clock.now(), lastError: '550 5.1.1 <<address>>: no such user' })
    heal(at)
    expect(await at.useCases.retryOutbox.execute({ id: entry?.id ?? 0 }, ADMIN)).toBe(true)
    expect((await deliver(at)).sent).toBe(1)
    expect(mailsOf(at)[0]?.messageId).toBe(entry?.messageId)
  })

  it('does not count against the caps', async () => {
    const { at } = await withMail()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    failWith(at, REFUSED)
    await deliver(at)
    heal(at)
    await subscribe(at, EMAIL, { feed: 'news' })
    expect((await deliver(at)).sent).toBe(1)
  })

  it('keeps no address in what it says, at any length', async () => {
    const saids: Record<string, string> = {
      "relay said: <O'Hara+x@Example.com> unknown; try ada@xn--bcher-kva.example":
        'relay said: <<address>> unknown; try <address>',
      'mailto:ada@example.com.\r\n\tBye': 'mailto:<address> Bye',
      'ädä@bücher.example, ada@': '<address>, <address>',
      '\ud800broken': '\ufffdbroken',
    }
    for (const [said, lastError] of Object.entries(saids)) {
      const { at } = await withMail()
      failWith(at, new Error(said))
      await deliver(at)
      expect((await outboxOf(at))[0]?.lastError).toBe(lastError)
    }
    const { at } = await withMail()
    failWith(at, new Error(`${`${'x'.repeat(320)}@example.com `.repeat(3)}no johnathan@example.com`))
    await deliver(at)
    expect((await outboxOf(at))[0]?.lastError).toBe('<address> <address> <address>')
    for (const said of [`${'no '.repeat(331)}johnathan@example.com`, 'x'.repeat(5_000_000), 'a@b '.repeat(5_000)]) {
      const { at } = await withMail()
      failWith(at, new Error(said))
      await deliver(at)
      const lastError = (await outboxOf(at))[0]?.lastError ?? ''
      expect(lastError.length).toBeLessThanOrEqual(500)
      expect(lastError).not.toMatch(/john|a@b/)
    }
  })

  it('says what was thrown where that was no error', async () => {
    const { at } = await withMail()
    failWith(at, 'just a text')
    expect((await deliver(at)).failures).toMatchObject([{ error: 'just a text', parked: false }])
    expect((await outboxOf(at))[0]?.lastError).toBe('just a text')
  })
})

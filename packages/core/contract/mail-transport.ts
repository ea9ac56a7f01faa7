import { expect, it } from 'vitest'
import { type Mail, MailRefusedPermanently, type MailTransport, MailUnanswered, MailWithdrawn } from '../src/index.ts'
import { aFeed, outcomesOf, TEXTS, upTo } from './samples.ts'
import { portSuite } from './storage-under-test.ts'

/** What arrived on the other side: of a mail that was sent twice, one or two of the same message. */
export interface Delivered {
  /** The Message-ID without its brackets. */
  readonly messageId: string
  /** The envelope's recipients. */
  readonly to: readonly string[]
  /** The envelope's sender; left out where there is no envelope. */
  readonly from?: string | undefined
  /** The whole message as it arrived, but for its date. */
  readonly content: string
}

export interface MailTransportUnderTest {
  readonly transport: MailTransport
  /** Of mails that it keeps, what it still has. */
  delivered(): Promise<readonly Delivered[]>
  /** Closes it and removes what it left behind. */
  dispose(): Promise<void>
}

const anId = (name: string): string => `${name}.0123456789abcdef@rollcall.example`

const url = (kind: string): string => `https://rollcall.example/${kind}/c0ffee`
const TO_END = { confirm: undefined, refuse: undefined, preferences: undefined, unsubscribe: url('unsubscribe') }
const ALREADY = { kind: 'already-subscribed', links: TO_END } as const
const PREFERENCES = { kind: 'preferences', links: { ...TO_END, preferences: url('preferences') } } as const

export const aMailTo = (to: string, changes: Partial<Mail> = {}): Mail => ({
  kind: 'confirmation',
  messageId: anId('1'),
  to,
  feed: aFeed('default', { title: 'News' }),
  locale: undefined,
  links: { ...TO_END, confirm: url('confirm'), refuse: url('refuse') },
  ...changes,
})

export const mailTransportContract = portSuite<MailTransportUnderTest>('a mail transport', (mail) => {
  const send = (one: Mail) => mail().transport.send(one)
  const idsDelivered = async () => new Set((await mail().delivered()).map(({ messageId }) => messageId))

  it('says whose its Message-IDs are: a domain, not an address of a machine', () => {
    expect(mail().transport.domain).toMatch(/^(?=.*[a-z])[a-z0-9.-]{1,253}$/)
  })

  it('says how many mails it can usefully take at once: one at least', () => {
    expect(Number.isSafeInteger(mail().transport.concurrency)).toBe(true)
    expect(mail().transport.concurrency).toBeGreaterThanOrEqual(1)
  })

  it('has handed the mail over, to its recipient alone, when it resolves', async () => {
    const odd = ["o'hara+tag!#$%&*/=?^_`{|}~-@example.com", 'a@xn--bcher-kva.example', `${'x'.repeat(64)}@example.com`]
    for (const [n, to] of ['ada@example.com', ...odd].entries()) {
      await send(aMailTo(to, { messageId: anId(`m${n}`) }))
      const found = (await mail().delivered()).find(({ messageId }) => messageId === anId(`m${n}`))
      expect(found?.to).toEqual([to])
    }
  })

  it('has it come back to where the mail says, else to its sender', async () => {
    const returnTo = 'bounces+1.c0ffee@rollcall.example'
    await send(aMailTo('ada@example.com', { messageId: anId('m1'), returnTo }))
    await send(aMailTo('ada@example.com', { messageId: anId('m2') }))
    const senders = new Map((await mail().delivered()).map(({ messageId, from }) => [messageId, from]))
    expect(senders.get(anId('m1')) ?? returnTo).toBe(returnTo)
    // Without a sender, nobody ever sees that it came back.
    expect(senders.get(anId('m2')) ?? 'a@b').toMatch(/^(?!bounces\+).+@/)
  })

  it('takes every kind of mail in any language, known or not', async () => {
    const locales = [undefined, 'en', 'de', 'de-CH', 'pt-BR', 'ar', 'zh-Hant-TW', 'xx', 'x-unheard-of']
    const mails = locales.flatMap((locale, n) =>
      [{}, ALREADY, PREFERENCES].map((kind, m) =>
        aMailTo('ada@example.com', { ...kind, locale, messageId: anId(`m${n}.${m}`) }),
      ),
    )
    for (const one of mails) await send(one)
    expect(await idsDelivered()).toEqual(new Set(mails.map(({ messageId }) => messageId)))
  })

  it('takes any title and description of a feed, and neither adds a recipient', async () => {
    for (const [n, text] of TEXTS.entries()) {
      const feed = aFeed('news', { title: text, description: text })
      await send(aMailTo('ada@example.com', { feed, messageId: anId(`m${n}`) }))
    }
    const delivered = await mail().delivered()
    expect(delivered).toHaveLength(TEXTS.length)
    for (const { to } of delivered) expect(to).toEqual(['ada@example.com'])
  })

  it('asks before it begins whether a mail is due, and sends nothing of one that is not', async () => {
    const { transport } = mail()
    const asked: boolean[] = []
    const answer = (due: boolean) => async () => {
      asked.push(due)
      return due
    }
    await transport.send(aMailTo('ada@example.com', { messageId: anId('m1') }), answer(true))
    const withdrawn = transport.send(aMailTo('ada@example.com', { messageId: anId('m2') }), answer(false))
    await expect(withdrawn).rejects.toBeInstanceOf(MailWithdrawn)
    const broken = transport.send(aMailTo('ada@example.com', { messageId: anId('m3') }), () =>
      Promise.reject(new Error('not known')),
    )
    await expect(broken).rejects.toThrow('not known')
    await transport.send(aMailTo('ada@example.com', { messageId: anId('m4') }), answer(true))
    expect([asked, [...(await idsDelivered())].sort()]).toEqual([
      [true, false, true],
      [anId('m1'), anId('m4')],
    ])
  })

  it('gives the same message when the same mail is sent again', async () => {
    await send(aMailTo('ada@example.com'))
    const [first] = await mail().delivered()
    await send(aMailTo('ada@example.com'))
    expect(first?.messageId).toBe(aMailTo('').messageId)
    for (const one of await mail().delivered()) expect(one).toEqual(first)
  })

  it('takes many mails at once, and neither loses nor mixes up any', async () => {
    const mails = upTo(4 * Math.min(mail().transport.concurrency, 10)).map((n) =>
      aMailTo(`a${n}@example.com`, { messageId: anId(`m${n}`) }),
    )
    await Promise.all(mails.map(send))
    const delivered = await mail().delivered()
    const pairs = delivered.map(({ messageId, to }) => `${messageId} ${to}`).sort()
    expect(pairs).toEqual(mails.map(({ messageId, to }) => `${messageId} ${to}`).sort())
  })

  it('shows a mail without sending it, where it can', async () => {
    const one = aMailTo('ada@example.com')
    const shown = await mail().transport.show?.(one)
    if (shown !== undefined) {
      for (const part of [shown.text, shown.html]) {
        expect(part).toContain('News')
        expect(part).toContain(one.links.confirm)
      }
      expect(shown.subject).not.toBe('')
      expect(new TextDecoder().decode(shown.message)).toContain(`Message-ID: <${one.messageId}>`)
    }
    expect(await mail().delivered()).toEqual([])
  })

  it('has forgotten what it kept once it was asked to, and nothing else', async () => {
    for (const messageId of [anId('m1'), anId('m2'), anId('m3')]) await send(aMailTo('ada@example.com', { messageId }))
    await mail().transport.forget([anId('m1'), anId('m3'), anId('never-sent')])
    await mail().transport.forget([anId('m1')])
    await mail().transport.forget([])
    const left = mail().transport.keepsMails ? [anId('m2')] : [1, 2, 3].map((n) => anId(`m${n}`))
    expect([...(await idsDelivered())].sort()).toEqual(left)
  })

  it('can be closed twice', async () => {
    await send(aMailTo('ada@example.com'))
    await mail().transport.close()
    await mail().transport.close()
  })
})

export interface RefusingTransportUnderTest extends MailTransportUnderTest {
  /**
   * From now on the other side refuses every mail like this, or gets it and does not answer; with `undefined` it takes
   * them again.
   */
  refuse(how: 'for-good' | 'for-now' | 'without-answer' | undefined): void
}

/** For transports with another side that may refuse. */
export const mailRefusalContract = portSuite<RefusingTransportUnderTest>('a mail transport that is refused', (mail) => {
  const refusal = async () => (await outcomesOf([mail().transport.send(aMailTo('ada@example.com'))])).errors[0]

  it('distinguishes a permanent refusal from failures worth another try', async () => {
    mail().refuse('for-good')
    expect(await refusal()).toBeInstanceOf(MailRefusedPermanently)
    mail().refuse('for-now')
    const passing = await refusal()
    expect(passing).toBeInstanceOf(Error)
    expect(passing).not.toBeInstanceOf(MailRefusedPermanently)
    expect(passing).not.toBeInstanceOf(MailUnanswered)
  })

  it('says that a mail may have been delivered where the other side got it, and did not answer', async () => {
    mail().refuse('without-answer')
    expect(await refusal()).toBeInstanceOf(MailUnanswered)
  })

  it('delivers nothing of what was refused, and the same mail when it is taken later', async () => {
    mail().refuse('for-now')
    await refusal()
    expect(await mail().delivered()).toEqual([])
    mail().refuse(undefined)
    await mail().transport.send(aMailTo('ada@example.com'))
    expect(await mail().delivered()).toHaveLength(1)
  })
})

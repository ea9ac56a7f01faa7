import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { LinkNotValid } from '../src/index.ts'
import { ADMIN, deliver, lastMailOf, mailsOf, type Service, tokenIn } from './cast.ts'
import { block, confirmed, recipientsOf } from './recipients.ts'

const DAY = 24 * 3_600_000

const manageToken = async (at: Service): Promise<string> => (await recipientsOf(at))[1].manage_url.split('/').at(-1)
const press = async (at: Service, token: string) => await at.useCases.mailPreferences.execute({ token })

const withToken = async () => {
  const at = openMemoryService()
  const id = await confirmed(at, 'ada@example.com')
  const token = await manageToken(at)
  at.clock.advance(DAY)
  return { at, id, token }
}

describe('a link to manage a subscription', () => {
  it('mails the link to the preferences to the address of the subscription, as often as the caps allow', async () => {
    const { at, token } = await withToken()
    const before = mailsOf(at).length
    await press(at, token)
    await press(at, token)
    await deliver(at)
    await press(at, token)
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(before + 1)
    const { kind, to, links } = lastMailOf(at)
    expect([kind, to]).toEqual(['preferences', 'ada@example.com'])
    const preferences = links.preferences?.split('/').at(-1) ?? ''
    expect((await at.useCases.showPreferences.execute({ token: preferences })).own.subscription.email).toBe(to)
  })

  it('stays good after an end, and does nothing and says nothing once all is erased or blocked', async () => {
    const { at, id, token } = await withToken()
    await at.useCases.endSubscription.execute({
      token: tokenIn(lastMailOf(at), 'unsubscribe'),
      source: { via: 'x', clientAddress: undefined, userAgent: undefined },
    })
    await press(at, token)
    await deliver(at)
    expect(lastMailOf(at).kind).toBe('preferences')
    const count = mailsOf(at).length
    at.clock.advance(DAY)
    await block(at, 'ada@example.com')
    await press(at, token)
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(count)
    await at.useCases.eraseSubscription.execute({ subscriptionId: String(id) }, ADMIN)
    await at.useCases.liftSuppression.execute({ address: 'ada@example.com' }, ADMIN)
    await press(at, token)
    await deliver(at)
    expect(mailsOf(at)).toEqual([])
  })

  it('is signed for this alone: no other link manages, and this one opens nothing else', async () => {
    const { at, id, token } = await withToken()
    const others = ['', 'x', `${token}0`, token.replace(/^\d/, '9'), tokenIn(lastMailOf(at), 'unsubscribe'), `${id}`]
    for (const other of others) await expect(press(at, other)).rejects.toBeInstanceOf(LinkNotValid)
    for (const purpose of ['confirm', 'refuse', 'unsubscribe', 'preferences'] as const)
      expect(() => at.useCases.signedLinks.require(purpose, token)).toThrow(LinkNotValid)
    await expect(at.useCases.showPreferences.execute({ token })).rejects.toBeInstanceOf(LinkNotValid)
  })
})

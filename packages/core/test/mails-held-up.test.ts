import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { DAY, type Mail, MINUTE, SECOND } from '../src/index.ts'
import { confirm, deliver, mailsOf, outboxOf, type Service, subscribe } from './cast.ts'
import { failWith, heal } from './deliveries.ts'

/** An other side that takes no mail to these domains until it is released. */
const holdUp = (at: Service, ...domains: string[]) => {
  const held: (() => void)[] = []
  const begun: string[] = []
  at.transport.otherSide = async ({ to }: Mail) => {
    begun.push(to)
    if (domains.some((domain) => to.endsWith(`@${domain}`))) await new Promise<void>((resolve) => held.push(resolve))
  }
  const letGo = (): void => {
    for (const go of held.splice(0)) go()
  }
  return { held, begun, letGo }
}

const signUp = async (at: Service, count: number, domain: string): Promise<void> => {
  for (let n = 0; n < count; n++) await subscribe(at, `a${n}@${domain}`)
}

const advance = (at: Service, limit = 100) => at.useCases.deliverOutbox.advance({ limit })

describe('advancing', () => {
  it('ends with the last mail begun, and reports what took longer in a later round', async () => {
    const at = openMemoryService()
    await signUp(at, 1, 'slow.example')
    const { letGo } = holdUp(at, 'slow.example')
    expect(await advance(at)).toEqual({ claimed: 1, sent: 0, failures: [] })
    await signUp(at, 9, 'example.com')
    await advance(at)
    await advance(at)
    expect(mailsOf(at)).toHaveLength(9)
    letGo()
    await at.useCases.deliverOutbox.finish()
    expect(mailsOf(at)).toHaveLength(10)
    expect(await outboxOf(at)).toEqual([])
  })

  it('reports every mail once, over all rounds', async () => {
    const at = openMemoryService()
    await signUp(at, 30, 'example.com')
    const rounds = [await advance(at, 7), await advance(at, 7), await advance(at, 7), await advance(at, 100)]
    rounds.push(await at.useCases.deliverOutbox.finish())
    expect(rounds.reduce((sum, { sent }) => sum + sent, 0)).toBe(30)
    expect(rounds.reduce((sum, { claimed }) => sum + claimed, 0)).toBe(30)
  })

  it('writes down together what was sent until the host has gathered, and nothing before', async () => {
    const at = openMemoryService()
    await signUp(at, 9, 'example.com')
    const { run } = at.storage.unitOfWork
    let units = 0
    Object.assign(at.storage.unitOfWork, {
      run: (...work: Parameters<typeof run>) => {
        units++
        return run(...work)
      },
    })
    const gathered: number[] = []
    const gather = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      gathered.push((await outboxOf(at)).length)
    }
    expect(await at.useCases.deliverOutbox.execute({ limit: 9, gather })).toMatchObject({ sent: 9 })
    expect([gathered, await outboxOf(at), units]).toEqual([[9], [], 2])
  })
})

describe('a domain whose mails take long', () => {
  it('takes a part of what can be sent at once, and the mails to others flow', async () => {
    const at = openMemoryService()
    await signUp(at, 50, 'tarpit.example')
    await signUp(at, 50, 'example.com')
    const { held, letGo } = holdUp(at, 'tarpit.example')
    await advance(at, 1)
    at.clock.advance(5 * SECOND)
    await advance(at, 99)
    await advance(at, 99)
    await expect.poll(() => outboxOf(at)).toHaveLength(50)
    expect(held).toHaveLength(1)
    expect(mailsOf(at)).toHaveLength(50)
    letGo()
    await at.useCases.deliverOutbox.finish()
  })

  it('gets its mails a minute later, as if they had never been tried', async () => {
    const at = openMemoryService()
    await signUp(at, 3, 'tarpit.example')
    const { letGo } = holdUp(at, 'tarpit.example')
    await advance(at, 1)
    at.clock.advance(5 * SECOND)
    expect((await advance(at)).claimed).toBe(2)
    const due = at.clock.now() + MINUTE
    expect(await outboxOf(at)).toMatchObject([
      { attempts: 1 },
      { attempts: 0, notBefore: due, lastError: undefined },
      { attempts: 0, notBefore: due, lastError: undefined },
    ])
    letGo()
    heal(at)
    await at.useCases.deliverOutbox.finish()
    at.clock.advance(MINUTE)
    expect(await deliver(at)).toMatchObject({ claimed: 2, sent: 2 })
  })
})

describe('a relay that is dead for a day', () => {
  it('loses nothing: every mail goes out once it is back, once, and its link works', async () => {
    const at = openMemoryService()
    const COUNT = 40
    await signUp(at, COUNT, 'example.com')
    failWith(at, new Error('ECONNREFUSED'))
    let tries = 0
    for (const end = at.clock.now() + DAY; at.clock.now() < end; at.clock.advance(5 * MINUTE)) {
      const { claimed, failures } = await deliver(at)
      expect(failures.filter(({ parked }) => parked)).toEqual([])
      tries += claimed
    }
    expect(await outboxOf(at)).toHaveLength(COUNT)
    // No more than one an hour and mail, and a few at the beginning.
    expect(tries).toBeLessThan(COUNT * 60)
    heal(at)
    const seen: string[] = []
    at.transport.otherSide = async ({ to }) => {
      seen.push(to)
    }
    for (let n = 0; n < 12; n++) {
      await deliver(at)
      at.clock.advance(5 * MINUTE)
    }
    expect(seen.sort()).toEqual(Array.from({ length: COUNT }, (_, n) => `a${n}@example.com`).sort())
    expect(await outboxOf(at)).toEqual([])
    await confirm(at, mailsOf(at)[0]?.links.confirm?.split('/').at(-1) ?? '')
  })
})

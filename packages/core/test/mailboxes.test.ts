import { describe, expect, it } from 'vitest'
import { memoryDigests, openMemoryService } from '../memory/index.ts'
import { AddressSuppressed, addressHash, DAY, HOUR, MINUTE, type SuppressionCause } from '../src/index.ts'
import { ADMIN, confirm, deliver, mailedToken, mailsOf, outboxOf, refuse, type Service, subscribe } from './cast.ts'
import { ask, change, linkOf, show } from './preferences.ts'
import { importFile } from './transfers.ts'

const hashOf = (address: string) => addressHash(memoryDigests('a secret for tests'), address)

/** What the release before stored: the hash of the address as it was given. */
const suppress = ({ storage }: Service, address: string, cause: SuppressionCause = 'refused') =>
  storage.unitOfWork.run(({ suppressions }) => suppressions.add(hashOf(address), { cause, since: 1 }))

const suppressedOf = async (at: Service) =>
  (await at.useCases.listSuppressions.execute({}, ADMIN)).items.map(({ address }) => address)

const recipients = (at: Service) => mailsOf(at).map(({ to }) => to)

/** Whether a sign-up of the address gets a mail. */
const isMailed = async (at: Service, address: string) => {
  const before = mailsOf(at).length
  await subscribe(at, address)
  await deliver(at)
  return mailsOf(at).length > before
}

const SAME = [
  ['ada+1@example.com', 'ada+2@example.com'],
  ['ada@example.com', 'ADA+news@EXAMPLE.com'],
  ['ada+news+today@example.com', 'ada+@example.com'],
  ['+ada+1@example.com', '+ada@example.com'],
  ['a.da@gmail.com', 'ad.a+x@googlemail.com'],
  ['ada@gmail.com', 'a.d.a.@googlemail.com'],
] as const

const DIFFERENT = [
  ['+ada@example.com', '+bob@example.com'],
  ['a.da@example.com', 'ada@example.com'],
  ['ada@example.com', 'ada@example.org'],
  ['ada@gmail.com', 'ada@gmail.example'],
  ['ada-news@example.com', 'ada@example.com'],
  ['.@gmail.com', '..@gmail.com'],
] as const

describe('the mail caps of a mailbox', () => {
  it.each(SAME)('are those of %s and %s together', async (one, other) => {
    const at = openMemoryService()
    await subscribe(at, one)
    await subscribe(at, other)
    await deliver(at)
    expect(recipients(at)).toHaveLength(1)
    at.clock.advance(10 * MINUTE)
    await deliver(at)
    expect(recipients(at).map((to) => to.toLowerCase())).toEqual([one.toLowerCase(), other.toLowerCase()])
  })

  it.each(DIFFERENT)('are not those of %s and %s together', async (one, other) => {
    const at = openMemoryService()
    await subscribe(at, one)
    await subscribe(at, other)
    await deliver(at)
    expect(recipients(at)).toEqual([one, other])
  })

  it('let three mails a day and six a week through, however many plus tags there are', async () => {
    const at = openMemoryService()
    for (let n = 0; n < 30; n++) await subscribe(at, `victim+${n}@example.com`)
    const sent: number[] = []
    for (let hour = 0; hour < 24 * 6; hour++) {
      await deliver(at)
      at.clock.advance(HOUR)
      if (hour % 24 === 23) sent.push(mailsOf(at).length)
    }
    expect([sent[0], sent.at(-1)]).toEqual([3, 6])
  })

  it('keep a copy from being queued, like those of the address itself', async () => {
    const at = openMemoryService()
    await subscribe(at, 'ada+1@example.com')
    await deliver(at)
    at.clock.advance(10 * MINUTE)
    await subscribe(at, 'ada+2@example.com')
    await deliver(at)
    await subscribe(at, 'ada+1@example.com')
    expect([mailsOf(at).length, await outboxOf(at)]).toEqual([2, []])
  })

  it('are stored once, under the hash of the plain address, and are in the export of any address of it', async () => {
    const at = openMemoryService()
    await subscribe(at, 'ada+1@example.com')
    await confirm(at, await mailedToken(at, 'confirm'))
    const hashes = ['ada+1@example.com', 'ada@example.com'].map(hashOf)
    const slotsOf = () => at.storage.unitOfWork.run(({ mailCaps }) => mailCaps.slotsOf(hashes))
    expect([...(await slotsOf())].map(([hash, slots]) => [hash, slots.length])).toEqual([[hashes[1], 1]])
    const token = await linkOf(at, 'ada+1@example.com')
    const { mailSlots } = await at.useCases.exportPreferences.execute({ token })
    expect(mailSlots).toEqual([...(await slotsOf()).values()].flat())
  })

  it('get back what was taken for a mail whose turn did not come', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada+1@example.com')
    await at.useCases.deliverOutbox.execute({ limit: 100, stop: { aborted: true } })
    expect(mailsOf(at)).toEqual([])
    await at.useCases.endOnBehalf.execute({ subscriptionId: String(id), reason: 'By phone.' }, ADMIN)
    expect(await isMailed(at, 'ada+2@example.com')).toBe(true)
  })
})

describe('the suppression of a mailbox', () => {
  it.each(SAME)('by %s is one of %s', async (one, other) => {
    const at = openMemoryService()
    await subscribe(at, one)
    await refuse(at, await mailedToken(at, 'refuse'))
    at.clock.advance(7 * DAY)
    expect(await isMailed(at, other)).toBe(false)
    expect(await outboxOf(at)).toEqual([])
  })

  it.each(DIFFERENT)('by %s is not one of %s', async (one, other) => {
    const at = openMemoryService()
    await subscribe(at, one)
    await refuse(at, await mailedToken(at, 'refuse'))
    expect(await isMailed(at, other)).toBe(true)
  })

  it('that comes while a mail waits takes the mail back', async () => {
    const at = openMemoryService()
    await subscribe(at, 'ada+1@example.com')
    await suppress(at, 'ada@example.com')
    await deliver(at)
    expect([mailsOf(at), await outboxOf(at)]).toEqual([[], []])
  })

  it('is stored once, as that of the plain address, and refusing again is as good as once', async () => {
    const at = openMemoryService()
    await subscribe(at, 'ada+1@example.com')
    const token = await mailedToken(at, 'refuse')
    await refuse(at, token)
    await refuse(at, token)
    expect(await suppressedOf(at)).toEqual([hashOf('ada@example.com')])
  })

  it.each(['ada+1@example.com', 'ADA+2@example.com', 'ada@example.com'])('is lifted by %s', async (address) => {
    const at = openMemoryService()
    await subscribe(at, 'ada+1@example.com')
    await refuse(at, await mailedToken(at, 'refuse'))
    expect(await at.useCases.liftSuppression.execute({ address }, ADMIN)).toBe(hashOf('ada@example.com'))
    expect(await suppressedOf(at)).toEqual([])
  })

  it('is lifted by its hash alone where the hash is given', async () => {
    const at = openMemoryService()
    await suppress(at, 'ada+1@example.com')
    await suppress(at, 'ada@example.com')
    await at.useCases.liftSuppression.execute({ address: hashOf('ada@example.com') }, ADMIN)
    expect(await suppressedOf(at)).toEqual([hashOf('ada+1@example.com')])
  })

  it('refuses rows of a file and confirmation on behalf, and has one mail with the link to the preferences sent', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada+1@example.com')
    await suppress(at, 'ada@example.com')
    const command = { subscriptionId: String(id), reason: 'On paper.' }
    await expect(at.useCases.confirmOnBehalf.execute(command, ADMIN)).rejects.toBeInstanceOf(AddressSuppressed)
    const { refused } = await importFile(at, [{ email: 'ada+2@example.com' }])
    expect(refused).toEqual([expect.objectContaining({ error: 'Suppressed' })])
    for (const _ of [1, 2]) {
      await ask(at, 'ada+1@example.com')
      at.clock.advance(HOUR)
      await deliver(at)
    }
    expect(mailsOf(at).map(({ kind }) => kind)).toEqual(['preferences'])
  })

  it("that the owner of a tagged address asks for with 'never again' covers the mailbox, and 'allow' ends it", async () => {
    const at = openMemoryService()
    await subscribe(at, 'ada+1@example.com')
    await confirm(at, await mailedToken(at, 'confirm'))
    const token = await linkOf(at, 'ada+1@example.com')
    await change(at, token, 'never-again')
    at.clock.advance(10 * MINUTE)
    expect(await isMailed(at, 'ada+2@example.com')).toBe(false)
    await change(at, token, 'allow')
    expect([(await show(at, token)).suppression, await suppressedOf(at)]).toEqual([undefined, []])
  })

  it('of another address of the mailbox shows on the preferences page, and can be ended there', async () => {
    const at = openMemoryService()
    await subscribe(at, 'ada+1@example.com')
    await confirm(at, await mailedToken(at, 'confirm'))
    const token = await linkOf(at, 'ada+1@example.com')
    await suppress(at, 'ada@example.com', 'never-again')
    expect((await show(at, token)).suppression).toEqual({ cause: 'never-again', since: 1 })
    await change(at, token, 'allow')
    expect(await suppressedOf(at)).toEqual([])
  })
})

describe('the identity of a subscription', () => {
  it('is that of the address as before: each plus tag has its own', async () => {
    const at = openMemoryService()
    const ids = []
    for (const address of ['ada@gmail.com', 'ada+1@gmail.com', 'a.da@gmail.com', 'ada@googlemail.com'])
      ids.push((await subscribe(at, address)).id)
    expect(new Set(ids).size).toBe(4)
  })
})

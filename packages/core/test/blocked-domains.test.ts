import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { DAY, publishedStats } from '../src/index.ts'
import { ADMIN, confirm, deliver, mailedToken, mailsOf, outboxOf, stored, subscribe } from './cast.ts'
import { askToMove } from './moves.ts'
import { EMAIL, linkOf } from './preferences.ts'

const BLOCKED = ['disposable.example', 'xn--bcher-kva.example']

describe('a sign-up from a domain that is blocked', () => {
  it.each(['a@disposable.example', 'a@MAIL.Disposable.example', 'a@bücher.example'])(
    '%s gets the same answer, and nothing is kept or mailed',
    async (email) => {
      const [at, free] = [openMemoryService({ blockedDomains: BLOCKED }), openMemoryService()]
      const [{ processed: _, ...answer }, { processed: __, ...same }] = [
        await subscribe(at, email, { name: 'Ann' }),
        await subscribe(free, email, { name: 'Ann' }),
      ]
      expect(answer).toEqual(same)
      await deliver(at)
      const { items } = await at.useCases.listSubscriptions.execute({}, ADMIN)
      expect([items, await outboxOf(at), mailsOf(at)]).toEqual([[], [], []])
      const { periods } = publishedStats(await at.useCases.showStats.execute({}, ADMIN))
      expect(periods.at(-1)?.turned_away).toMatchObject({ blocked_domain: 1, honeypot: 0 })
    },
  )

  it.each(['a@example.com', 'a@notdisposable.example', 'disposable.example@example.com'])(
    '%s is none',
    async (email) => {
      const at = openMemoryService({ blockedDomains: BLOCKED })
      const { id } = await subscribe(at, email)
      expect(await stored(at, id)).toMatchObject({ status: 'pending' })
    },
  )
})

it('a move to a domain that is blocked mails nobody, and nothing is kept of it', async () => {
  const at = openMemoryService({ blockedDomains: BLOCKED })
  const { id } = await subscribe(at, EMAIL)
  await deliver(at)
  await confirm(at, await mailedToken(at, 'confirm'))
  at.clock.advance(DAY)
  const token = await linkOf(at)
  const sent = mailsOf(at).length
  await askToMove(at, token, 'a@disposable.example')
  await deliver(at)
  expect([mailsOf(at).length - sent, await outboxOf(at), (await stored(at, id))?.status]).toEqual([0, [], 'confirmed'])
})

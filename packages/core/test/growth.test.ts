import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { operator } from '../src/index.ts'
import { type Counts, netGrowth } from '../src/numbers/growth.ts'

describe('net growth', () => {
  it.each<[string, Counts, number]>([
    ['of nothing', {}, 0],
    ['by form and by import', { requested: 9, confirmed: 5, 'imported:confirmed': 3, 'imported:pending': 4 }, 8],
    [
      'less whoever left, for any cause',
      {
        confirmed: 9,
        'ended:unsubscribed': 1,
        'ended:complained': 1,
        'ended:erased': 1,
        'ended:moved': 1,
        'ended:by-caller': 1,
      },
      4,
    ],
    ['without those who never were readers', { confirmed: 1, 'ended:refused': 5, 'ended:expired': 7 }, 1],
    ['below zero', { 'ended:unsubscribed': 2 }, -2],
  ])('%s', (_, counts, net) => {
    expect(netGrowth(counts)).toBe(net)
  })
})

it('shows feeds with their growth, the largest first, as it was counted', async () => {
  const { useCases, clock } = openMemoryService()
  const OPS = operator('ops')
  const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
  await useCases.putFeed.execute({ name: 'weekly', title: 'Weekly' }, OPS)
  const confirm = async (email: string, feed: string) => {
    const { id } = await useCases.subscribe.execute({ email, feed, source })
    const subscriptionId = String(id)
    await useCases.confirmOnBehalf.execute({ subscriptionId, reason: 'on paper' }, OPS)
    return subscriptionId
  }
  const first = await confirm('old@example.com', 'weekly')
  clock.advance(40 * 86_400_000)
  await confirm('a@example.com', 'weekly')
  await confirm('b@example.com', 'default')
  await useCases.endOnBehalf.execute({ subscriptionId: first, reason: 'by letter' }, OPS)
  await useCases.subscribe.execute({ email: 'c@example.com', feed: 'weekly', source })
  await useCases.sealer.beat()
  const { current, growth, weeks, feeds, others, days } = await useCases.showOverview.execute({}, OPS)
  expect([current, growth, others]).toEqual([{ pending: 1, confirmed: 2, ended: 1 }, [1, 1, 2], 0])
  expect(weeks.at(-1)).toBe(2)
  expect(weeks.at(0)).toBe(0)
  expect(days).toHaveLength(30)
  expect(days.at(-1)?.counts).toMatchObject({ requested: 3, confirmed: 2, 'ended:by-caller': 1 })
  expect(feeds.map(({ feed, growth }) => [feed, growth])).toEqual([
    ['default', [1, 1, 1]],
    ['weekly', [0, 0, 1]],
  ])
})

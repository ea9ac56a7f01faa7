import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operator, sortableCursorOf } from '@rollcall/core'
import { expect, it } from 'vitest'
import type { Composition } from '../src/composition.ts'
import { Home } from './running-service.ts'
import { withComposition } from './with-composition.ts'

const ROOT = operator('test')
const SOURCE = { via: 'form', clientAddress: undefined, userAgent: undefined }

/** A feed `news` with so many subscriptions. */
const fill = async ({ useCases }: Composition, count: number): Promise<void> => {
  await useCases.putFeed.execute({ name: 'news' }, ROOT)
  for (let from = 0; from < count; from += 500)
    await Promise.all(
      Array.from({ length: Math.min(500, count - from) }, (_, n) =>
        useCases.subscribe.execute({ email: `s${from + n}@example.com`, feed: 'news', source: SOURCE }),
      ),
    )
}

const eventTypes = async ({ useCases }: Composition): Promise<Map<string, number>> => {
  const counts = new Map<string, number>()
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const page: Awaited<ReturnType<typeof useCases.listEvents.execute>> = await useCases.listEvents.execute(
      { cursor, limit: 200 },
      ROOT,
    )
    for (const { event } of page.items) counts.set(event.type, (counts.get(event.type) ?? 0) + 1)
    cursor = page.next?.toString()
  }
  return counts
}

it('finishes the deletion of a feed that was killed in the middle, and loses count of nothing', async () => {
  const count = 6_000
  await using home = await Home.make()
  const data = path.join(home.folder, 'data')
  await withComposition(data, async (composition) => {
    const { useCases } = composition
    await fill(composition, count)
    const other = await useCases.subscribe.execute({ email: 's1@example.com', source: SOURCE })
    const deletion = home.start(['feed', 'delete', 'news', '--subscriptions', 'erase', '--yes'])
    const cursor = sortableCursorOf(count + 1)
    while ((await useCases.listEvents.execute({ cursor, limit: 1 }, ROOT)).items.length === 0) {
      if (deletion.child.exitCode !== null) throw new Error(`it ended by itself: ${deletion.stderr}`)
      await sleep(2)
    }
    expect((await deletion.kill('SIGKILL')).signal).toBe('SIGKILL')
    const feed = await useCases.getFeed.execute({ name: 'news' }, ROOT)
    expect(feed.deletingSince).toBeDefined()
    await expect(
      useCases.subscribe.execute({ email: 'new@example.com', feed: 'news', source: SOURCE }),
    ).rejects.toThrow("Correct 'feed'")

    const { code, stdout } = await home.run('feed', 'delete', 'news', '--subscriptions', 'erase', '--yes', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).subscriptions_erased).toBeLessThan(count)
    await expect(useCases.getFeed.execute({ name: 'news' }, ROOT)).rejects.toMatchObject({ name: 'FeedNotFound' })
    expect((await useCases.listSubscriptions.execute({}, ROOT)).items.map(({ id }) => id)).toEqual([other.id])
    expect((await eventTypes(composition)).get('subscription.erased')).toBe(count)
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { startChild } from './child-process.ts'
import { serviceOn } from './service-on-file.ts'

type Opened = Parameters<typeof serviceOn>[0]

/** Kills a process that takes sign-ups and folds numbers, again and again: nothing is lost, and nothing counted twice. */
export const killWhileCounting = async (where: string, open: (where: string) => Promise<Opened>): Promise<void> => {
  let answered = 0
  for (const round of ['a', 'b', 'c', 'd']) {
    const child = startChild('count-until-killed.ts', [where, round])
    await child.line(`${round}1`)
    await sleep(Math.random() * 200)
    await child.kill('SIGKILL')
    answered += child.lines.length
  }
  const { useCases } = serviceOn(await open(where), Date.now())
  const { numbers, subscriptions } = useCases.readers
  let there = 0
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next } = await subscriptions.list({ after, limit: 500 })
    there += items.length
    after = next
  }
  expect(there).toBeGreaterThanOrEqual(answered)
  expect(await numbers.current(undefined)).toEqual([{ feed: 'default', status: 'pending', count: there }])
  expect(await numbers.ever()).toEqual([{ what: 'requested', count: there }])
}

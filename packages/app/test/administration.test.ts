import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { operator } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { withComposition } from './with-composition.ts'

const ROOT = operator('test')
const SOURCE = { via: 'form', clientAddress: undefined, userAgent: undefined }
const WHY = 'asked for it by letter'

describe('administration over SQLite', () => {
  it('stores feeds whole, erases mails as files with their subscription, and lifts what was suppressed', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-administration-'))
    await withComposition(folder, async ({ useCases }) => {
      const mails = async () =>
        (await readdir(path.join(folder, 'mail')).catch(() => [])).filter((name) => name.endsWith('.eml'))
      const fields = {
        ...{ title: 'News', sender: 'Nachrichten <news@bücher.example>', wording: 'Ja,\nbitte.', open: true },
        ...{
          returnUrls: ['https://a.example/?x'],
          confirmedUrl: 'https://a.example/done',
          homeUrl: 'https://a.example/',
        },
      }
      const { feed } = await useCases.putFeed.execute({ name: 'news', ...fields }, ROOT)
      expect(feed.sender?.address).toBe('news@xn--bcher-kva.example')
      expect(await useCases.getFeed.execute({ name: 'news' }, ROOT)).toEqual(feed)
      const command = { email: 'ada@example.com', feed: 'news', source: SOURCE }
      const subscriptionId = String((await useCases.subscribe.execute(command)).id)
      await useCases.deliverOutbox.execute({ limit: 10 })
      const [mail = ''] = await mails()
      const text = (await readFile(path.join(folder, 'mail', mail), 'utf8')).replace(/=\r\n/g, '')
      const token = /\/refuse\/([0-9a-f.]+)/.exec(text)?.[1] ?? ''
      await useCases.refuseSubscription.execute({ token, source: SOURCE })
      const [suppressed] = (await useCases.listSuppressions.execute({}, ROOT)).items
      expect(await useCases.liftSuppression.execute({ address: 'ADA@example.com' }, ROOT)).toBe(suppressed?.address)
      const { consents } = await useCases.getConsent.execute({ subscriptionId }, ROOT)
      expect(consents.map(({ deed, wording }) => [deed, wording])).toEqual([
        ['requested', 'news/1'],
        ['refused', 'news/1'],
      ])
      await expect(useCases.confirmOnBehalf.execute({ subscriptionId, reason: WHY }, ROOT)).rejects.toMatchObject({
        name: 'SubscriptionEnded',
      })
      expect((await useCases.listSubscriptions.execute({ email: 'ada@example.com' }, ROOT)).items).toHaveLength(1)
      await useCases.eraseSubscription.execute({ subscriptionId, reason: WHY }, ROOT)
      expect(await mails()).toEqual([])
      expect((await useCases.listSubscriptions.execute({ feed: 'news' }, ROOT)).items).toEqual([])
      const events = (await useCases.listEvents.execute({}, ROOT)).items
      expect(events.map(({ event, subject }) => [event.type, subject])).toEqual([
        ['subscription.pending', undefined],
        ['subscription.ended', undefined],
        ['subscription.erased', undefined],
      ])
    })
    await rm(folder, { recursive: true })
  })
})

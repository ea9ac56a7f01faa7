import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { createUseCases, DAY, UNDO_LIFE, type UnitOfWork } from '../src/index.ts'
import {
  ADMIN,
  auditOf,
  confirm,
  consentsOf,
  mailedToken,
  outboxOf,
  refuse,
  stored,
  subscribe,
  unsubscribe,
} from './cast.ts'
import { NEW, withMove } from './moves.ts'
import { EMAIL as MOVED } from './preferences.ts'
import { confirmedRow, exportFile, importFile } from './transfers.ts'

const EMAIL = 'brian.smith@example.com'

describe('an import of somebody who is there already', () => {
  it('leaves a confirmed subscription as it is, whatever the row says', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, EMAIL)
    await confirm(at, await mailedToken(at, 'confirm'))
    const before = [await stored(at, id), await consentsOf(at, id)]
    for (const more of [{}, { status: 'ended' }, { status: 'pending' }, { name: 'Other' }]) {
      const { summary } = await importFile(at, [confirmedRow(EMAIL, more)])
      expect(summary).toMatchObject({ unchanged: 1, imported: 0 })
    }
    expect([await stored(at, id), await consentsOf(at, id)]).toEqual(before)
  })

  it('does not bring back who has left', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, EMAIL)
    await unsubscribe(at, await mailedToken(at, 'unsubscribe'))
    expect((await importFile(at, [confirmedRow(EMAIL)], { mail: 'send' })).summary).toMatchObject({ unchanged: 1 })
    expect(await stored(at, id)).toMatchObject({ status: 'ended' })
    expect(await outboxOf(at)).toEqual([])
  })

  it('does not bring back who has left, although somebody has sent the form since', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, EMAIL)
    await unsubscribe(at, await mailedToken(at, 'unsubscribe'))
    await subscribe(at, EMAIL)
    for (const dryRun of [true, false])
      expect((await importFile(at, [confirmedRow(EMAIL)], { dryRun })).summary).toMatchObject({ unchanged: 1 })
    expect(await stored(at, id)).toMatchObject({ status: 'pending' })
    // Nor once that form has expired, before it is swept and after.
    at.clock.advance(30 * DAY)
    expect((await importFile(at, [confirmedRow(EMAIL)])).summary).toMatchObject({ unchanged: 1 })
    expect(await at.useCases.expireSubscriptions.execute()).toEqual({ count: 1, more: false })
    expect(await stored(at, id)).toMatchObject({
      ...{ status: 'ended', endedAt: expect.any(Number), expiresAt: undefined, name: '' },
    })
    expect((await consentsOf(at, id)).map(({ deed }) => deed)).toEqual(['requested', 'ended', 'requested'])
    expect((await importFile(at, [confirmedRow(EMAIL)])).summary).toMatchObject({ unchanged: 1 })
  })

  it('does not bring back an address that its owner has left for another', async () => {
    const { at, ids } = await withMove()
    for (const wait of [0, UNDO_LIFE]) {
      at.clock.advance(wait)
      await at.useCases.finishMoves.execute()
      for (const dryRun of [true, false])
        expect((await importFile(at, [confirmedRow(MOVED)], { dryRun })).summary).toMatchObject({ unchanged: 1 })
    }
    await expect(stored(at, ids.default)).rejects.toThrow()
    // Nor if somebody has sent the form for it.
    await subscribe(at, MOVED)
    expect((await importFile(at, [confirmedRow(MOVED)])).summary).toMatchObject({ unchanged: 1 })
    expect(await stored(at, ids.default)).toMatchObject({ status: 'pending' })
  })

  it('confirms a pending subscription by evidence, and takes back the mail that waited', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, EMAIL, { name: 'Brian' })
    const { summary } = await importFile(at, [confirmedRow(EMAIL, { name: 'Other' })])
    expect(summary).toMatchObject({ imported: 1, confirmed: 1 })
    expect(await stored(at, id)).toMatchObject({ status: 'confirmed', name: 'Other', expiresAt: undefined })
    expect((await consentsOf(at, id)).map(({ deed, via }) => [deed, via])).toEqual([
      ['requested', 'form'],
      ['confirmed', 'import'],
    ])
    expect(await outboxOf(at)).toEqual([])
  })

  it('leaves a pending subscription and its link as they are otherwise', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, EMAIL)
    const token = await mailedToken(at, 'confirm')
    const before = await stored(at, id)
    expect((await importFile(at, [{ email: EMAIL, name: 'x' }], { mail: 'send' })).summary).toMatchObject({
      unchanged: 1,
    })
    expect(await stored(at, id)).toEqual(before)
    await confirm(at, token)
  })

  it('takes a pending subscription whose link has expired for one that is not there', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, EMAIL)
    at.clock.advance(8 * DAY)
    expect((await importFile(at, [{ email: EMAIL }])).summary).toMatchObject({ imported: 1, pending: 1 })
    expect(await stored(at, id)).toMatchObject({ expiresAt: at.clock.now() + 7 * DAY })
    expect(await outboxOf(at)).toEqual([])
  })

  it('takes the same address twice in a file for one', async () => {
    const at = openMemoryService()
    const rows = [
      confirmedRow('a@bücher.example'),
      confirmedRow('A@BÜCHER.example'),
      confirmedRow('a@xn--bcher-kva.example'),
    ]
    expect((await importFile(at, rows)).summary).toMatchObject({ imported: 1, unchanged: 2 })
  })

  it('takes a later row of the same address for what the earlier one made of it', async () => {
    const at = openMemoryService()
    const rows = [{ email: EMAIL }, confirmedRow(EMAIL), { email: EMAIL, status: 'ended' }]
    expect((await importFile(at, rows)).summary).toMatchObject({ imported: 3, pending: 1, confirmed: 1, ended: 1 })
    expect(await exportFile(at)).toContain('"status":"ended"')
  })

  it('comes out the same where units go on side by side and all rows of one are looked up at once', async () => {
    const rows = Array.from({ length: 700 }, (_, n) => confirmedRow(`person-${n % 500}@example.com`))
    const at = openMemoryService()
    const unitOfWork: UnitOfWork = { sideBySide: true, run: (work) => at.ports.unitOfWork.run(work) }
    const settings = { publicUrl: 'https://rollcall.example', linkLife: 7 * DAY }
    const useCases = createUseCases({ ...at.ports, unitOfWork }, settings)
    const { summary } = await importFile({ ...at, useCases }, rows)
    expect(summary).toMatchObject({ imported: 500, unchanged: 200 })
    const records = (await auditOf(at)).filter(({ action }) => action === 'subscription.import')
    expect(records.map(({ reason }) => reason)).toEqual(['rows 256', 'rows 244'])
  })
})

describe('an import of somebody who said never again', () => {
  it('is refused over all feeds, also when everything else was erased', async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news', title: 'News' }, ADMIN)
    const { id } = await subscribe(at, EMAIL)
    await refuse(at, await mailedToken(at, 'refuse'))
    await at.storage.unitOfWork.run(({ subscriptions }) => subscriptions.erase(id))
    const rows = [confirmedRow(EMAIL.toUpperCase()), { email: EMAIL, feed: 'news', status: 'ended' }]
    const { refused, summary } = await importFile(at, rows, { mail: 'send' })
    expect(refused).toMatchObject([
      { line: 1, error: 'Suppressed' },
      { line: 2, error: 'Suppressed' },
    ])
    expect(summary).toMatchObject({ refused: 2, imported: 0 })
    expect(JSON.stringify(refused)).not.toContain('brian')
    expect(await exportFile(at)).toBe('')
  })
})

describe('what was exported', () => {
  /** Somebody in every state, in two feeds, with a wording of one's own. */
  const furnished = async () => {
    const at = await empty()
    await subscribe(at, 'p@example.com', { name: 'P', locale: 'pt-BR' })
    await subscribe(at, 'Q@bücher.example', { name: '=Q, "👩🏽‍🚀"' })
    await subscribe(at, 'c@example.com', { feed: 'news', name: 'C, "c"' })
    await subscribe(at, 'c@example.com', { feed: 'news' })
    await confirm(at, await mailedToken(at, 'confirm'))
    at.clock.advance(DAY)
    await subscribe(at, 'e@example.com')
    await confirm(at, await mailedToken(at, 'confirm'))
    await unsubscribe(at, await mailedToken(at, 'unsubscribe'))
    return at
  }
  const empty = async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news', title: 'News', wording: 'Send me\n"news".' }, ADMIN)
    return at
  }

  it.each(['ndjson', 'csv'])('is the same once it was imported elsewhere, as %s', async (format) => {
    const exported = await exportFile(await furnished(), { format })
    const elsewhere = await empty()
    elsewhere.clock.advance(2 * DAY)
    expect((await importFile(elsewhere, exported, { format })).summary).toMatchObject({ imported: 4, refused: 0 })
    expect(await exportFile(elsewhere, { format })).toBe(exported)
  })

  it('comes back although the words of a consent speak of leaving', async () => {
    const at = openMemoryService()
    await importFile(at, [confirmedRow(EMAIL, { consent: 'Weekly newsletter, unsubscribe at any time' })])
    const elsewhere = openMemoryService()
    const exported = await exportFile(at, { format: 'csv' })
    expect((await importFile(elsewhere, exported, { format: 'csv' })).summary).toMatchObject({ confirmed: 1 })
  })

  it('is confirmed elsewhere, too, if it was confirmed by a change of address', async () => {
    const { at } = await withMove()
    const elsewhere = await empty()
    elsewhere.clock.advance(30 * DAY)
    await importFile(elsewhere, await exportFile(at, { feed: 'default', status: 'confirmed' }))
    expect(JSON.parse(await exportFile(elsewhere))).toMatchObject({ email: NEW, status: 'confirmed' })
  })

  it('changes nothing where it came from', async () => {
    const at = await furnished()
    const exported = await exportFile(at)
    expect((await importFile(at, exported)).summary).toMatchObject({ unchanged: 4, imported: 0 })
    expect(await exportFile(at)).toBe(exported)
  })

  it('proves what was read there, where the wording of that name says something else', async () => {
    const exported = await exportFile(await furnished(), { feed: 'news' })
    const elsewhere = openMemoryService()
    await elsewhere.useCases.putFeed.execute({ name: 'news', title: 'News', wording: 'Something else.' }, ADMIN)
    await importFile(elsewhere, exported)
    const { consent } = JSON.parse(await exportFile(elsewhere))
    expect(consent).toMatchObject([{ wording: 'Send me\n"news".' }, { wording: 'Send me\n"news".' }])
    expect(JSON.stringify(consent)).not.toContain('Something else.')
  })
})

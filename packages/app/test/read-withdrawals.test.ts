import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readWithdrawals } from '../src/backup/read-withdrawals.ts'
import { temporaryFolder } from './temporary-folder.ts'

const AT = Date.parse('2026-05-01T12:00:00Z')
const time = (minute: number) => new Date(AT + minute * 60_000).toISOString()

/** By their places; by default with the same minute. */
const event = (place: number, type: string, subject: string, minute = place) => ({
  specversion: '1.0',
  type,
  subject,
  time: time(minute),
  sequence: place.toString().padStart(16, '0'),
})
const record = (sequence: number, action: string, target: string, minute = sequence) => ({
  sequence,
  action,
  target,
  outcome: 'done',
  at: time(minute),
})

const read = async (...files: readonly (readonly object[])[]) =>
  await readTexts(...files.map((entries) => entries.map((entry) => JSON.stringify(entry)).join('\n')))

const BACKUP = { event: 1, auditRecord: 1 }
const known = async (...files: readonly string[]) => {
  const folder = await temporaryFolder()
  const names = files.map((_, n) => path.join(folder, `${n}.ndjson`))
  for (const [n, text] of files.entries()) await writeFile(names[n] ?? '', text)
  return readWithdrawals(names)
}
const readTexts = async (...files: readonly string[]) => (await known(...files)).after(BACKUP)

it('names the files that have nothing from after the backup', async () => {
  const [older, newer] = [record(1, 'user.put', 'ada'), event(2, 'user.deleted', 'ada')].map((one) =>
    JSON.stringify(one),
  )
  const silent = (await known('', older ?? '', newer ?? '')).silentAfter(BACKUP)
  expect(silent.map((file) => path.basename(file))).toEqual(['0.ndjson', '1.ndjson'])
})

it('knows by its place what an event comes after, which is a decimal number', async () => {
  const kept = await known(JSON.stringify(event(50, 'subscription.erased', '7')))
  expect(kept.after({ event: 49, auditRecord: 0 }).erased).toEqual(new Set([7]))
  const since = { event: 50, auditRecord: 0 }
  expect([kept.after(since).erased, kept.silentAfter(since).length]).toEqual([new Set(), 1])
  await expect(known(JSON.stringify({ ...event(2, 'user.deleted', 'ada'), sequence: '1a' }))).rejects.toThrow(
    /neither an event nor/,
  )
})

it('lets a user be who was deleted and restored, and takes out who was deleted after that again', async () => {
  const back = [event(2, 'user.deleted', 'ada'), event(3, 'user.created', 'ada')]
  expect((await read(back)).users).toEqual(new Map())
  expect((await read([...back, event(4, 'user.deleted', 'ada')])).users).toEqual(new Map([['ada', AT + 240_000]]))
})

it('takes no change for one that it knows by a name that every object inherits', async () => {
  const deleted = [event(2, 'user.deleted', 'ada')]
  const deletedThen = new Map([['ada', AT + 120_000]])
  for (const name of ['constructor', '__proto__', 'toString'])
    expect((await read([...deleted, event(3, name, 'ada')], [record(4, name, 'ada')])).users).toEqual(deletedThen)
})

it('knows who was suspended and not resumed, by events and by the trail', async () => {
  const events = [event(2, 'user.suspended', 'ada'), event(3, 'user.suspended', 'bob'), event(4, 'user.resumed', 'bob')]
  expect((await read(events)).suspended).toEqual(new Map([['ada', AT + 120_000]]))
  const records = [record(5, 'user.resume', 'ada'), record(6, 'user.suspend', 'bob')]
  expect((await read(events, records)).suspended).toEqual(new Map([['bob', AT + 360_000]]))
})

it('takes audit records that are not sealed yet for later than those before them in the file, and no others', async () => {
  const unsealed = (...[action, minute]: [string, number]) => ({ ...record(0, action, 'ada', minute), sequence: null })
  const [deleted, restored] = [unsealed('user.delete', 8), unsealed('user.restore', 9)]
  expect((await read([record(7, 'user.restore', 'ada'), deleted])).users).toEqual(new Map([['ada', AT + 480_000]]))
  expect((await read([record(7, 'user.put', 'bob'), deleted, restored])).users).toEqual(new Map())
  // Two exports, one after the other.
  const again = [record(8, 'user.delete', 'ada'), record(9, 'user.restore', 'ada')]
  expect((await read([record(7, 'user.put', 'bob'), deleted, ...again])).users).toEqual(new Map())
})

it('goes by the places of events, in whatever order lines and files are given and whatever the clock did', async () => {
  const [deleted, created] = [event(2, 'user.deleted', 'ada', 50), event(3, 'user.created', 'ada', 40)]
  expect((await read([created, deleted])).users).toEqual(new Map())
  expect((await read([created], [deleted], [deleted])).users).toEqual(new Map())
})

it('takes the later word where events and audit records are of different age', async () => {
  const deleted = [event(2, 'user.deleted', 'ada')]
  const restored = [record(8, 'user.delete', 'ada', 2), record(9, 'user.restore', 'ada', 3)]
  expect((await read(deleted, restored)).users).toEqual(new Map())
  const created = event(3, 'user.created', 'ada')
  expect((await read([record(8, 'user.delete', 'ada', 2)], [...deleted, created])).users).toEqual(new Map())
})

it('takes an ending back by a confirmation alone, and an erasure by nothing', async () => {
  const signedUp = [event(2, 'subscription.ended', '7'), event(3, 'subscription.pending', '7')]
  expect((await read(signedUp)).ended).toEqual(new Map([[7, AT + 120_000]]))
  expect((await read([...signedUp, event(4, 'subscription.confirmed', '7')])).ended).toEqual(new Map())
  const erased = [event(2, 'subscription.erased', '7'), event(3, 'subscription.pending', '7')]
  expect(await read([...erased, event(4, 'user.created', '7')])).toMatchObject({ erased: new Set([7]) })
})

describe('a file that a job appends to', () => {
  const [ada, bob, eve] = ['ada "}\\', 'bob{', 'eve'].map((name, n) => event(n + 2, 'user.deleted', name))
  const list = (...items: readonly unknown[]) =>
    `{"items":[${items.map((item) => `\n${JSON.stringify(item)}`)}\n],"next":null}\n`
  const all = new Map([
    ['ada "}\\', AT + 120_000],
    ['bob{', AT + 180_000],
    ['eve', AT + 240_000],
  ])

  it('has one document a run, in whatever layout, and an event of two runs once', async () => {
    for (const text of [
      list(ada) + list(ada, bob) + list() + list(eve),
      list(ada) + JSON.stringify({ items: [bob], next: null }, undefined, 2) + JSON.stringify([eve]),
      `${JSON.stringify(ada)}\r\n\r\n${list(bob, eve)}${JSON.stringify(bob)}`,
    ])
      expect((await readTexts(text)).users).toEqual(all)
  })

  it('is refused with the line where something else begins', async () => {
    const whole = list(ada)
    const notWhole = /line 4: here begins something that is no whole JSON document/
    for (const [text, words] of [
      [`${whole}${list(bob).slice(0, 40)}\n${list(eve)}`, notWhole],
      [`${whole}error: no\n${list(eve)}`, notWhole],
      [`${whole}}${list(eve)}`, notWhole],
      [
        `${whole}\n${JSON.stringify(bob)}\n{"a":1}\n`,
        /line 6: here begins a document with neither an event nor an aud/,
      ],
      [`${whole}${list(bob, { a: 1 })}`, /line 4: here begins a document with neither an event nor an aud/],
    ] as const)
      await expect(readTexts(text)).rejects.toThrow(words)
  })
})

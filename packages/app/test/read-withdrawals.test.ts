import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readWithdrawals } from '../src/backup/read-withdrawals.ts'

const AT = Date.parse('2026-05-01T12:00:00Z')
const time = (minute: number) => new Date(AT + minute * 60_000).toISOString()

/** By their places; by default with the same minute. */
const event = (place: number, type: string, subject: string, minute = place) => ({
  specversion: '1.0',
  type,
  subject,
  time: time(minute),
  sequence: place.toString(36).padStart(11, '0'),
})
const record = (sequence: number, action: string, target: string, minute = sequence) => ({
  sequence,
  action,
  target,
  outcome: 'done',
  at: time(minute),
})

const read = async (...files: readonly (readonly object[])[]) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rollcall-withdrawals-'))
  try {
    const names = files.map((_, n) => path.join(folder, `${n}.ndjson`))
    for (const [n, entries] of files.entries())
      await writeFile(names[n] ?? '', entries.map((entry) => JSON.stringify(entry)).join('\n'))
    return readWithdrawals(names).after({ event: 1, auditRecord: 1 })
  } finally {
    await rm(folder, { recursive: true })
  }
}

it('lets a user be who was deleted and restored, and takes out who was deleted after that again', async () => {
  const back = [event(2, 'user.deleted', 'ada'), event(3, 'user.created', 'ada')]
  expect((await read(back)).users).toEqual(new Map())
  expect((await read([...back, event(4, 'user.deleted', 'ada')])).users).toEqual(new Map([['ada', AT + 240_000]]))
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
  expect(
    (await read([record(8, 'user.delete', 'ada', 2)], [...deleted, event(3, 'user.created', 'ada')])).users,
  ).toEqual(new Map())
})

it('takes an ending back by a confirmation alone, and an erasure by nothing', async () => {
  const signedUp = [event(2, 'subscription.ended', '7'), event(3, 'subscription.pending', '7')]
  expect((await read(signedUp)).ended).toEqual(new Map([[7, AT + 120_000]]))
  expect((await read([...signedUp, event(4, 'subscription.confirmed', '7')])).ended).toEqual(new Map())
  const erased = [event(2, 'subscription.erased', '7'), event(3, 'subscription.pending', '7')]
  expect(await read([...erased, event(4, 'user.created', '7')])).toMatchObject({ erased: new Set([7]) })
})

import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { DAY } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrateData } from '../../src/data-migration/migrate-data.ts'
import { openPostgresStorage, openPostgresTarget } from '../../src/postgres/index.ts'
import { backupSqlite, NOTHING_WITHDRAWN, openSqliteSource, restoreSqlite } from '../../src/sqlite/index.ts'
import { onceFree, temporaryDatabase } from '../postgres/temporary-storage.ts'
import { ADMIN, onFile, type Service, SOURCE, serviceOn } from '../service-on-file.ts'
import { newDatabase, newFolder } from '../temporary-storage.ts'

const [A, B, C] = ['ada@example.com', 'ada@example.org', 'ada@example.net'] as const

const ask = async ({ useCases, token, clock }: Service, from: string, to: string) => {
  clock.advance(DAY)
  await useCases.requestPreferences.execute({ email: from })
  await useCases.requestMove.execute({ token: await token('preferences'), email: to })
  return await token('move')
}

const finish = async ({ useCases, clock }: Service) => {
  clock.advance(8 * DAY)
  while ((await useCases.finishMoves.execute()).more);
}

/** The life of a subscription that moves twice, and how the database was after each step. */
const STEPS = {
  confirmed: async (service: Service) => {
    await service.useCases.subscribe.execute({ email: A, source: SOURCE })
    await service.useCases.confirmSubscription.execute({ token: await service.token('confirm'), source: SOURCE })
  },
  asked: (service: Service, kept: Map<string, string>) => ask(service, A, B).then((token) => kept.set('move', token)),
  moved: ({ useCases }: Service, kept: Map<string, string>) =>
    useCases.carryOutMove.execute({ token: kept.get('move') ?? '', source: SOURCE }),
  finished: async (service: Service) => {
    await service.token('undo')
    await finish(service)
  },
  'moved on': async (service: Service) => {
    const token = await ask(service, B, C)
    await service.useCases.carryOutMove.execute({ token, source: SOURCE })
  },
  'finished again': async (service: Service) => {
    await service.token('undo')
    await finish(service)
  },
}

type Step = keyof typeof STEPS
const NAMES = Object.keys(STEPS) as Step[]
const HOLDER: Readonly<Record<Step, string>> = {
  ...{ confirmed: A, asked: A, moved: B, finished: B, 'moved on': C, 'finished again': C },
}

/** The addresses that a waiting mail tells of the move. */
const TOLD: Readonly<Partial<Record<Step, readonly string[]>>> = { moved: [A], 'moved on': [B] }

interface State {
  readonly file: string
  readonly backup: string
  readonly at: number
}

/** How the database is after each step, with a backup of it. */
const statesOf = async (): Promise<Readonly<Record<Step, State>>> => {
  const file = await newDatabase()
  const folder = newFolder()
  const states: Partial<Record<Step, State>> = {}
  let at = Date.UTC(2026, 0, 1)
  const kept = new Map<string, string>()
  for (const name of NAMES) {
    await onFile(file, at, async (service) => {
      await STEPS[name](service, kept)
      at = service.clock.now()
    })
    const backup = path.join(folder, `${name}.backup`)
    await backupSqlite({ file, to: backup, replace: false, files: [] })
    const copy = path.join(folder, `${name}.db`)
    copyFileSync(file, copy)
    states[name] = { file: copy, backup, at }
  }
  return states as Readonly<Record<Step, State>>
}

const restored = async (now: State, backup: string): Promise<string> => {
  const file = path.join(newFolder(), 'rollcall.db')
  copyFileSync(now.file, file)
  const restore = await restoreSqlite({ file, backup, withdrawals: () => NOTHING_WITHDRAWN })
  await restore.complete()
  return file
}

const emails = async ({ useCases }: Service, status?: string) =>
  (await useCases.listSubscriptions.execute({ status }, ADMIN)).items.map(({ email }) => email)

/** The addresses of mails that tell of a move, which go out now. */
const notices = async (service: Service) => {
  await service.token('undo')
  return service.mails().flatMap(({ kind, to }) => (kind === 'moved' ? [to] : []))
}

const deedsOf = async ({ useCases }: Service, email: string) => {
  const { items } = await useCases.listSubscriptions.execute({ email }, ADMIN)
  const { consents } = await useCases.getConsent.execute({ subscriptionId: String(items[0]?.id) }, ADMIN)
  return consents.map(({ deed }) => deed)
}

/**
 * Who gets mail, and by what deed; who is known once all is over; and who gets mail after the first link was followed
 * that there was.
 */
const outcome = async (service: Service, firstLink: string) => {
  const confirmed = await emails(service, 'confirmed')
  const by = (await deedsOf(service, confirmed[0] ?? '')).at(-1)
  const told = await notices(service)
  await finish(service)
  const known = await emails(service)
  await service.useCases.endSubscription.execute({ token: firstLink, source: SOURCE })
  return { confirmed, by, told, known, left: await emails(service, 'confirmed') }
}

describe('a subscription that has moved twice', () => {
  it('is where it has moved to after the restore of a backup of any time, and old links end it there', async () => {
    const states = await statesOf()
    const firstLink = await onFile(states.asked.file, states.asked.at, async ({ useCases, token, clock }) => {
      clock.advance(DAY)
      await useCases.requestPreferences.execute({ email: A })
      return await token('unsubscribe')
    })
    const [found, expected]: Record<string, unknown>[] = [{}, {}]
    for (const [n, now] of NAMES.entries())
      for (const before of NAMES.slice(0, n + 1)) {
        const file = await restored(states[now], states[before].backup)
        const place = `backup of '${before}' over '${now}'`
        if (found) found[place] = await onFile(file, states[now].at, (service) => outcome(service, firstLink))
        const holder = HOLDER[now]
        const [by, told] = [holder === A ? 'confirmed' : 'moved', TOLD[now] ?? []]
        if (expected) expected[place] = { confirmed: [holder], by, told, known: [holder], left: [] }
      }
    expect(found).toEqual(expected)
  })

  it('is back at its old address where the move was undone after the backup', async () => {
    const { moved } = await statesOf()
    const now = { ...moved, file: path.join(newFolder(), 'undone.db') }
    copyFileSync(moved.file, now.file)
    await onFile(now.file, now.at, async ({ useCases, token }) =>
      useCases.undoMove.execute({ token: await token('undo'), source: SOURCE }),
    )
    const file = await restored(now, moved.backup)
    await onFile(file, now.at, async (service) => {
      expect(await emails(service, 'confirmed')).toEqual([A])
      expect(await notices(service)).toEqual([])
      expect(await deedsOf(service, A)).toEqual(['requested', 'confirmed', 'moved', 'confirmed'])
    })
  })

  it('goes on as before in PostgreSQL, with what came back and with the reminder to come', async () => {
    const { 'moved on': state } = await statesOf()
    const other = 'bob@example.com'
    await onFile(state.file, state.at, async ({ useCases }) => {
      const { id: mine = 0 } = (await useCases.listSubscriptions.execute({ email: C }, ADMIN)).items[0] ?? {}
      const items = [{ kind: 'bounce', subscription: String(mine), status: '5.1.1' }]
      await useCases.recordFeedback.execute({ items }, ADMIN)
      await useCases.putFeed.execute({ name: 'daily', remindAfter: '1d' }, ADMIN)
      await useCases.subscribe.execute({ email: other, feed: 'daily', source: SOURCE })
      await useCases.deliverOutbox.execute({ limit: 9 })
    })
    const url = await temporaryDatabase({ empty: true })
    const [source, target] = [await openSqliteSource(state.file), await onceFree(() => openPostgresTarget(url))]
    expect(await migrateData(source, target)).toMatchObject({ interrupted: false, differences: [] })
    await target.finish()
    await Promise.all([source.close(), target.close()])
    const storage = await onceFree(() => openPostgresStorage({ url }))
    onTestFinished(() => storage.close())
    const service = serviceOn(storage, state.at)
    const explained = await service.useCases.explainSubscriptions.execute({ email: C }, ADMIN)
    expect(explained.deliverability).toBe('undeliverable')
    service.clock.advance(DAY)
    await service.useCases.queueReminders.execute()
    await service.useCases.deliverOutbox.execute({ limit: 9 })
    expect(service.mails().map(({ kind, to }) => [kind, to])).toEqual([['reminder', other]])
    await finish(service)
    expect((await emails(service)).sort()).toEqual([C, other].sort())
  })
})

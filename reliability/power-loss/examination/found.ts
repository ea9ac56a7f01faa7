import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AuditRecord, EventRecord, OutboxEntry, Page, Stretch, Subscription, User } from '@rollcall/core'
import Database from 'better-sqlite3'
import type { OpenedService } from './opened-service.ts'
import { isMail } from './whole-mails.ts'

/** All that is found after a loss of power, before the service does anything. */
export interface Found {
  readonly subscriptions: readonly Subscription[]
  readonly users: readonly User[]
  /** Ids of deleted users. */
  readonly tombstones: ReadonlySet<string>
  readonly outbox: readonly OutboxEntry[]
  readonly audit: readonly AuditRecord[]
  readonly events: readonly EventRecord[]
  /** What SQLite finds wrong with the file. */
  readonly damage: readonly string[]
  /** Message-IDs that count against some address. */
  readonly counted: ReadonlySet<string>
  /** Mails that are there as files, by their names. */
  readonly mails: ReadonlyMap<string, Uint8Array>
  /** Their names, by the address that they are for. */
  readonly mailsTo: ReadonlyMap<string, readonly string[]>
}

const STRETCH = 1_000
const RECIPIENT = /^To: (\S+)\r$/m

export const findAll = async ({ readers, databaseFile, dataDir }: OpenedService): Promise<Found> => ({
  subscriptions: await all((stretch) => readers.subscriptions.list(stretch)),
  users: await all((stretch) => readers.users.list(stretch)),
  outbox: await all((stretch) => readers.outbox.list(stretch)),
  audit: await all((stretch) => readers.audit.list(stretch)),
  events: await all((stretch) => readers.events.list(stretch)),
  ...inDatabase(databaseFile),
  ...inFolder(path.join(dataDir, 'mail')),
})

const all = async <Item>(list: (stretch: Stretch) => Promise<Page<Item>>): Promise<Item[]> => {
  const items: Item[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Page<Item> = await list({ after, limit: STRETCH })
    items.push(...page.items)
    after = page.next
  }
  return items
}

const inDatabase = (file: string): Pick<Found, 'damage' | 'counted' | 'tombstones'> => {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const checks = ['PRAGMA integrity_check', 'PRAGMA foreign_key_check']
    const lines = checks.flatMap((check) =>
      database
        .prepare<[], object>(check)
        .all()
        .map((row) => JSON.stringify(row)),
    )
    const slots = database.prepare<[], string>('SELECT slots FROM mail_cap').pluck().all()
    const counted = slots.flatMap((json) => (JSON.parse(json) as { messageId: string }[]).map((slot) => slot.messageId))
    const tombstones = new Set(database.prepare<[], string>('SELECT id FROM tombstone').pluck().all())
    return {
      tombstones,
      damage: lines.filter((line) => line !== '{"integrity_check":"ok"}'),
      counted: new Set(counted),
    }
  } finally {
    database.close()
  }
}

const inFolder = (folder: string): Pick<Found, 'mails' | 'mailsTo'> => {
  const names = existsSync(folder) ? readdirSync(folder).filter(isMail) : []
  const mails = new Map(names.map((name) => [name, readFileSync(path.join(folder, name))]))
  const recipientOf = (name: string): string => RECIPIENT.exec(mails.get(name)?.toString('latin1') ?? '')?.[1] ?? ''
  return { mails, mailsTo: Map.groupBy(names, recipientOf) }
}

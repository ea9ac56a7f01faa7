import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AuditRecord, EventRecord, OutboxEntry, Page, Stretch, Subscription, User } from '@rollcall/core'
import { Connection } from '../../../packages/storage-sql/src/sqlite/driver.ts'
import { FileNode } from '../disk/disk-node.ts'
import type { NodeId, RecordedOperation } from '../disk/operation.ts'
import { everything } from '../disk/survival.ts'
import type { OpenedService } from './examine-state.ts'

/** What is on the disk after a power loss, before the service does anything. */
export interface Found {
  readonly subscriptions: readonly Subscription[]
  readonly users: readonly User[]
  /** Ids of deleted users. */
  readonly tombstones: ReadonlySet<string>
  /** Ids of access tokens that are refused. */
  readonly revoked: ReadonlySet<string>
  /** Subscriptions whose ledger says that they were moved. */
  readonly moved: ReadonlySet<number>
  /** What is known of mails to the address of a subscription. */
  readonly delivery: ReadonlyMap<number, string>
  readonly outbox: readonly OutboxEntry[]
  readonly audit: readonly AuditRecord[]
  readonly events: readonly EventRecord[]
  /** What SQLite finds wrong with the file. */
  readonly damage: readonly string[]
  /** Message-IDs that count against the mail cap of some address. */
  readonly counted: ReadonlySet<string>
  /** Mails kept as files, by file name. */
  readonly mails: ReadonlyMap<string, Uint8Array>
  /** File names by recipient. */
  readonly mailsTo: ReadonlyMap<string, readonly string[]>
}

const STRETCH = 1_000
const RECIPIENT = /^To: (\S+)\r$/m

export const findAll = async (service: OpenedService): Promise<Found> => {
  // What was accepted is carried out first, as a service does that is started.
  while ((await service.useCases.processSignUps.execute()).left) {}
  return await found(service)
}

const found = async ({ readers, useCases, databaseFile, dataDir }: OpenedService): Promise<Found> => ({
  subscriptions: await all((stretch) => readers.subscriptions.list(stretch)),
  users: await all((stretch) => readers.users.list(stretch)),
  outbox: await all((stretch) => readers.outbox.list(stretch)),
  audit: await all((stretch) => useCases.readers.audit.list(stretch)),
  events: await all((stretch) => useCases.readers.events.list(stretch)),
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

const MOVED = "SELECT id FROM subscription JOIN consent ON seq = subscription WHERE deed = 'moved'"
const DELIVERY = 'SELECT subscription, state FROM deliverability WHERE subscription IS NOT NULL'

const inDatabase = (
  file: string,
): Pick<Found, 'damage' | 'counted' | 'delivery' | 'moved' | 'revoked' | 'tombstones'> => {
  const database = new Connection(file, { readonly: true })
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
    const tombstones = new Set(
      database.prepare<[], string>('SELECT id FROM identity WHERE deleted_at IS NOT NULL').pluck().all(),
    )
    return {
      tombstones,
      revoked: new Set(database.prepare<[], string>('SELECT jti FROM revoked_token').pluck().all()),
      moved: new Set(database.prepare<[], number>(MOVED).pluck().all()),
      delivery: new Map(database.prepare<[], [number, string]>(DELIVERY).raw().all()),
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

const isMail = (name: string): boolean => name.endsWith('.eml') && !name.startsWith('.')

export interface WholeMail {
  readonly bytes: Uint8Array
  /** The index of the operation that removed it. */
  readonly removedBy: number | undefined
}

/** Every mail that was ever written as a file, by file name. */
export const wholeMails = (operations: readonly RecordedOperation[]): ReadonlyMap<string, WholeMail> => {
  const files = new Map<NodeId, FileNode>()
  const nodes = new Map<string, NodeId>()
  const removals = new Map<string, number>()
  for (const [place, operation] of operations.entries()) {
    const { kind } = operation
    if (kind === 'write' || kind === 'resize') {
      const file = files.get(operation.node) ?? new FileNode()
      files.set(operation.node, file)
      file.change(operation)
    }
    if (kind === 'name' && isMail(operation.name)) nodes.set(operation.name, operation.node)
    if (kind === 'rename' && isMail(operation.to)) nodes.set(operation.to, operation.node)
    if (kind === 'unname' && isMail(operation.name)) removals.set(operation.name, place)
  }
  const bytesOf = (node: NodeId): Uint8Array => files.get(node)?.bytesAfter(everything) ?? new Uint8Array()
  return new Map([...nodes].map(([name, node]) => [name, { bytes: bytesOf(node), removedBy: removals.get(name) }]))
}

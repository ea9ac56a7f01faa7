import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Readers, Stores, UnitOfWork } from '@rollcall/core'

/**
 * Two databases that the code of the first release made and filled by its own service, as SQL, and the statements that
 * this code has. Nothing of it is ever changed: it is what people have.
 */
const textOf = (name: string): string => readFileSync(path.join(import.meta.dirname, name), 'utf8')

export const statementsOf = (store: 'sqlite' | 'postgres'): readonly string[] =>
  JSON.parse(textOf(`${store}-statements.json`)) as string[]

/** The tables without what is in them, and the rows as the first release writes them. */
export const dumpOf = (store: 'sqlite' | 'postgres') => {
  const whole = textOf(`${store}.sql`)
  // A statement ends at the end of a line; some texts in rows have line breaks.
  const rows = whole.match(/^INSERT INTO .*?\);$/gms) ?? []
  const schema = rows.reduce((text, row) => text.replace(row, () => ''), whole)
  const ofMigrations = rows.filter((row) => row.includes('kysely_migration'))
  return { whole, schema, ofMigrations, rows: rows.filter((row) => !row.includes('kysely_migration')) }
}

/** What the first release stored, as this one reads it; ids of subscriptions depend on the secret. */
export const everythingIn = async ({ readers, unitOfWork }: { readers: Readers; unitOfWork: UnitOfWork }) => {
  const all = { after: 0, limit: 200 }
  const subscriptions = (await readers.subscriptions.list({ ...all })).items
  return await unitOfWork.run(async (stores: Stores) => {
    const ledgers: Record<string, string> = {}
    for (const { id, feed, email, status, name } of subscriptions) {
      const deeds = (await stores.consents.list(id)).map(({ deed }) => deed)
      ledgers[`${feed} ${email} ${name}`] = `${status}: ${deeds.join(' ')}`
    }
    const webhooks = (await readers.webhooks.list(all)).items
    const trail = (await readers.audit.list(all)).items
    const events = (await readers.events.list(all)).items
    return {
      ledgers,
      users: (await readers.users.list(all)).items.map(({ id, email, name, roles }) => [id, email, name, ...roles]),
      tokensNotBefore: (await readers.users.list(all)).items
        .filter(({ tokensNotBefore }) => tokensNotBefore !== undefined)
        .map(({ id }) => id),
      statuses: await Promise.all(['root', 'deleted', 'held', 'unknown'].map((id) => readers.users.accountStatus(id))),
      tombstones: (await readers.tombstones.list({ after: undefined, limit: 9 })).map(({ id, tombstone }) => ({
        id,
        erased: tombstone.erased,
        isHeld: tombstone.erasesAt !== undefined,
      })),
      held: (await stores.heldUsers.due(Number.MAX_SAFE_INTEGER, 9)).map(({ user, subscriptions: fate }) => [
        user.id,
        user.email,
        fate,
      ]),
      feeds: (await readers.feeds.list(all)).items.map(({ name, title, language, sender, wordings, open }) => [
        name,
        title,
        language,
        sender?.address,
        wordings.map(({ text }) => text).join('|'),
        open,
      ]),
      suppressions: (await readers.suppressions.list(all)).items.map(({ cause }) => cause),
      mails: (await readers.outbox.list(all)).items.map(({ kind }) => kind),
      webhooks: webhooks.map(({ name, types, disabled, previousSecret }) => [
        name,
        types.length,
        disabled?.because,
        previousSecret !== undefined,
      ]),
      deliveries: (await readers.webhookDeliveries.list(all)).items
        .map(({ webhook, event }) => `${webhook} ${event.type}`)
        .filter((delivery) => delivery.endsWith('confirmed')),
      events: Object.fromEntries(
        Object.entries(Object.groupBy(events, ({ type }) => type)).map(([type, found]) => [type, found?.length]),
      ),
      trail: [trail.length, trail[0]?.action, trail.at(-1)?.action, trail.every(({ rolesHash }) => !rolesHash)],
    }
  })
}

/** The same from both stores: they were filled alike. */
export const EVERYTHING = {
  ledgers: {
    'weekly confirmed@example.com Name confirmed': 'confirmed: requested confirmed',
    'weekly pending@example.com Name pending': 'pending: requested',
    'weekly ended@example.com Name ended': 'ended: requested confirmed ended',
    'weekly refused@example.com Name refused': 'ended: requested refused',
    'weekly never@example.com Name never': 'confirmed: requested confirmed',
    'default confirmed@example.com Again': 'pending: requested',
    'default held@example.com Held': 'pending: requested',
    'default info@bücher.example 𝒳 quoted': 'pending: requested',
  },
  users: [
    ['root', 'root@example.com', 'Root Administrator', 'admin'],
    ['auditor', 'zoe@bücher.example', `Zoë "quoted" O'Neil`, 'auditor'],
    ['admin-2', 'two@example.com', 'Two', 'admin', 'auditor'],
    ['plain', 'plain@example.com', 'Plain'],
    ['restored', 'restored@example.com', 'restored one', 'auditor'],
  ],
  tokensNotBefore: ['restored'],
  statuses: [{ roles: ['admin'] }, 'deleted', 'deleted', undefined],
  tombstones: [
    { id: 'deleted', erased: { users: 1, roles: 1, subscriptions: 1, mails: 1, tokens: 0 }, isHeld: false },
    { id: 'held', erased: { users: 0, roles: 0, subscriptions: 0, mails: 0, tokens: 0 }, isHeld: true },
  ],
  held: [['held', 'held@example.com', 'erase']],
  feeds: [
    ['default', 'default', undefined, undefined, '', true],
    ['weekly', 'Weekly', undefined, undefined, 'I agree.|I agree, again.', true],
    ['closed', 'Closed', undefined, undefined, '', false],
  ],
  suppressions: ['refused'],
  mails: ['confirmation'],
  webhooks: [
    ['shop', 2, undefined, false],
    ['off', 7, 'by-hand', true],
  ],
  deliveries: ['shop subscription.confirmed', 'shop subscription.confirmed', 'shop subscription.confirmed'],
  events: {
    'user.created': 8,
    'user.updated': 1,
    'user.deleted': 3,
    'subscription.pending': 10,
    'subscription.confirmed': 3,
    'subscription.ended': 2,
    'subscription.erased': 2,
  },
  trail: [26, 'user.put', 'user.delete', true],
}

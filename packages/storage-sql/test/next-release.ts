import { expect } from 'vitest'
import { ADMIN, type Service, SOURCE } from './service-on-file.ts'

const MIGRATION = '0002-next'

/** As the next release may change it and leave this one working: every table gets a column, and there is one table more. */
export const upgradeOf = (tables: readonly string[]): string =>
  [
    ...tables.map((table) => `ALTER TABLE ${table} ADD COLUMN next text NOT NULL DEFAULT 'next'`),
    'CREATE TABLE next_thing (id integer PRIMARY KEY)',
    `INSERT INTO rollcall_migration (name, needs) VALUES ('${MIGRATION}', '0001-initial')`,
  ].join(';\n')

/** As it may change it so that this one cannot work on it. */
export const BREAKING_UPGRADE = `INSERT INTO rollcall_migration (name, needs) VALUES ('${MIGRATION}', '${MIGRATION}')`

export const REFUSAL = new RegExp(`is of a newer version \\(${MIGRATION}\\)\\. Run that version`)
export const REFUSAL_OF_MORE = new RegExp(`is of a newer version \\(${MIGRATION}\\)\\. Use that version for this`)

export const NEWER = [MIGRATION]

/** Reads and writes most tables. */
export const workWith = async ({ useCases, token }: Service, name: string): Promise<void> => {
  const email = `${name}@example.com`
  await useCases.putWebhook.execute({ name, url: `https://${name}.example.com/` }, ADMIN)
  await useCases.subscribe.execute({ email, source: SOURCE })
  await useCases.confirmSubscription.execute({ token: await token('confirm'), source: SOURCE })
  await useCases.putUser.execute({ userId: name, email, name: '', roles: ['auditor'] }, ADMIN)
  await useCases.suspendUser.execute({ userId: name }, ADMIN)
  await useCases.deleteUser.execute({ userId: name, subscriptions: 'erase' }, ADMIN)
  await useCases.sealAudit.execute()
  expect(await useCases.readers.users.accountStatus(name)).toBe('deleted')
}

import type { MailCapStore, MailSlot } from '@rollcall/core'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'

export const sqliteMailCapStore = (writer: Writer): Synchronous<MailCapStore> => {
  const { connection } = writer
  const slots = connection.prepare<[string], string>('SELECT slots FROM mail_cap WHERE address = ?').pluck()
  const put = connection.prepare(
    `INSERT INTO mail_cap (address, last_at, slots) VALUES (?, ?, ?)
      ON CONFLICT (address) DO UPDATE SET last_at = excluded.last_at, slots = excluded.slots`,
  )
  const remove = connection.prepare('DELETE FROM mail_cap WHERE address = ?')
  const prune = connection.prepare(
    `DELETE FROM mail_cap WHERE address IN
      (SELECT address FROM mail_cap WHERE last_at < ? ORDER BY last_at LIMIT +?)`,
  )
  return {
    slots: (address) => {
      const json = slots.get(address)
      return json === undefined ? [] : (JSON.parse(json) as readonly MailSlot[])
    },
    put: (address, all) => {
      if (all.length === 0) writer.write(remove, address)
      else writer.write(put, address, Math.max(...all.map(({ at }) => at)), JSON.stringify(all))
    },
    prune: (before, limit) => writer.write(prune, before, limit).changes,
  }
}

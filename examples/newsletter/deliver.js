import { appendFile, readFile } from 'node:fs/promises'
import { createClient } from '@rollcall/client'
import { issue } from './issue.js'

const rollcall = createClient({ url: process.env.SERVER, token: process.env.TOKEN })

const FILE = `${issue.name}.sent`

/**
 * Sends the issue in batches, and asks about each batch right before it goes out. `send` gets the recipients of a batch,
 * and yields each one that the provider took. Those are in a file, so that the same command can be run again after it was
 * interrupted: it goes on with the others.
 */
export const deliver = async (size, send) => {
  const sent = new Set((await readFile(FILE, { encoding: 'utf8', flag: 'a+' })).split('\n'))
  const counts = { sent: 0, skipped: 0, refused: 0 }
  const recipients = await recipientsBut(sent)
  for (let start = 0; start < recipients.length; start += size) {
    const batch = recipients.slice(start, start + size)
    const ids = batch.map(({ id }) => id)
    const checked = await rollcall.checkRecipients({ name: issue.feed, body: { ids } })
    const may = new Set(checked.send)
    counts.skipped += batch.length - may.size
    counts.refused += may.size
    for await (const { id } of may.size === 0 ? [] : send(batch.filter(({ id }) => may.has(id)))) {
      await appendFile(FILE, `${id}\n`)
      counts.refused -= 1
      counts.sent += 1
    }
  }
  console.log(`${counts.sent} sent, ${counts.skipped} skipped, ${counts.refused} refused by the provider`)
}

/** All at once, about 600 bytes each: a list that was read as slowly as mails go out would be cut off. */
const recipientsBut = async (sent) => {
  const recipients = []
  // An incomplete list ends with an error.
  for await (const line of rollcall.listRecipients({ name: issue.feed }))
    if ('email' in line && !sent.has(String(line.id))) recipients.push(line)
  return recipients
}

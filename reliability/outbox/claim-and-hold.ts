// A worker that claims so many entries, prints them, and waits to be killed. Arguments: URL, count.
import { LEASE } from '@rollcall/core'
import { openPostgresStorage } from '@rollcall/storage-sql/postgres'

const [url = '', count = '100'] = process.argv.slice(2)
const { unitOfWork } = await openPostgresStorage({ url })
const entries = await unitOfWork.run(({ outbox }) =>
  outbox.claim({ owner: `killed-${process.pid}`, limit: Number(count), leaseFor: LEASE }),
)
process.stdout.write(`${JSON.stringify(entries.map(({ messageId }) => messageId))}\n`)
setInterval(() => undefined, 60_000)

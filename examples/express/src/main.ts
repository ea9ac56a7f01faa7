import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compose, createLog, openService, readConfig, TOKENS } from '@rollcall/app'
import { ownRules } from './own-rules.ts'
import { createShop } from './shop.ts'

const port = Number(process.env.PORT ?? 3000)
// SQLite in `data`, mails as files in `data/mail`, tokens signed with a key of its own.
const config = readConfig({ ROLLCALL_DATA_DIR: 'data', ROLLCALL_PUBLIC_URL: `http://127.0.0.1:${port}/mail` })
const container = compose(config, await createLog(config))
// In your shop, a query on a table of your own.
const places = new Map([
  ['lena', { department: 'sales', leads: true }],
  ['linus', { department: 'sales', leads: false }],
  ['rita', { department: 'research', leads: false }],
])
container.bind(TOKENS.policy).toConstantValue(ownRules(async (userId) => places.get(userId)))
const rollcall = await openService(container)

const server = createServer(createShop(rollcall))
// Mails and events go out from here on.
await rollcall.start(server)
server.listen(port, '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
// First no more requests, then Rollcall: it finishes its mails and closes the database.
server.close()
server.closeIdleConnections()
await once(server, 'close')
await rollcall.close()

import { once } from 'node:events'
import { createServer } from 'node:http'
import { compose, createLog, openService, readConfig } from '@rollcall/app'
import { createShop } from './app.js'

// Everything that `rollcall serve` reads from the environment; see docs/reference/configuration.md.
const config = readConfig({
  ROLLCALL_DATA_DIR: process.env.DATA_DIR ?? './data',
  ROLLCALL_PUBLIC_URL: process.env.PUBLIC_URL ?? 'http://127.0.0.1:3000/mail',
})
const rollcall = await openService(compose(config, await createLog(config)))
const server = createServer(createShop(rollcall).callback())
// Mails and events go out from here on; requests go first.
await rollcall.start(server)
const port = Number(process.env.PORT ?? 3000)
server.listen(port, '127.0.0.1')
await once(server, 'listening')
console.log(`the shop listens on port ${port}`)

await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
// First no more requests, then Rollcall: it finishes its mails and closes the database.
server.close()
server.closeIdleConnections()
await once(server, 'close')
await rollcall.close()
console.log('closed')

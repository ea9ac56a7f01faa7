import { once } from 'node:events'
import { compose, createLog, openService, readConfig } from '@rollcall/app'
import { createNewsletter } from './newsletter.ts'

const port = Number(process.env.PORT ?? 3000)
// SQLite in `data`, mails as files in `data/mail`, tokens signed with a key of its own.
const config = readConfig({ ROLLCALL_DATA_DIR: 'data', ROLLCALL_PUBLIC_URL: `http://127.0.0.1:${port}` })
const rollcall = await openService(compose(config, await createLog(config)))

const app = await createNewsletter(rollcall)
// Mails and events go out from here on.
await rollcall.start(app.server)
console.log(await app.listen({ port, host: '127.0.0.1' }))

await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
// First no more requests, then Rollcall: it finishes its mails and closes the database.
await app.close()
await rollcall.close()

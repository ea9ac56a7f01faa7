import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openService, TOKENS } from '@rollcall/app'
import { operator } from '@rollcall/core'
import { createRouter } from '@rollcall/http-koa'
import Koa from 'koa'
import { createContainer } from './container.ts'
import { STAFF_TABLE } from './staff-repository.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'staff-'))
const container = createContainer(folder)

// Rollcall brings its own tables up to date here; ours are our business.
const rollcall = await openService(container)
const { transaction } = await container.getAsync(TOKENS.storage)
if (transaction === undefined) throw new Error('This host is made for SQLite.')
await transaction((sql) => sql.run(STAFF_TABLE))
const staff = (columns: string) => transaction((sql) => sql.all(`SELECT ${columns} FROM staff`))

const { putUser, issueToken } = rollcall.useCases
const us = operator('setup')
await putUser.execute({ userId: 'ada', email: 'ada@example.com', name: 'Ada', roles: ['admin'] }, us)
await putUser.execute({ userId: 'eve', email: 'eve@example.com', name: 'Eve', roles: [] }, us)
await transaction((sql) => sql.run("UPDATE staff SET department = 'Engines' WHERE login = 'eve'"))
console.log('staff:', await staff('login, department'))

const app = new Koa().use(createRouter(rollcall.httpOptions).routes())
const server = createServer(app.callback()).listen(0, '127.0.0.1')
await once(server, 'listening')
await rollcall.start(server)

const { token } = await issueToken.execute({ subject: 'ada', roles: [], lifetime: 60 }, us)
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/users/eve`
const deletion = await fetch(url, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } })
console.log('DELETE /users/eve:', deletion.status)
console.log('staff:', await staff('login'))

// The row of ours went in the same transaction in which Rollcall wrote its tombstone and its audit record.
const trail = await rollcall.useCases.listAudit.execute({ limit: 10 }, us)
for (const { action, actor, target } of trail.items) console.log(`${action} ${target} by ${actor}`)

server.close()
server.closeIdleConnections()
await rollcall.close()
rmSync(folder, { recursive: true })

import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import type { Service } from '@rollcall/app'
import { createHandler } from '@rollcall/http-koa/host'
import { AppModule, RefusalFilter } from './app.module.js'
import { ROLLCALL, RollcallModule } from './rollcall.module.js'

const port = Number(process.env.PORT ?? 3000)
// SQLite in `data`, mails as files in `data/mail`, tokens signed with a key of its own.
const settings = { ROLLCALL_DATA_DIR: 'data', ROLLCALL_PUBLIC_URL: `http://127.0.0.1:${port}/mail` }

@Module({ imports: [RollcallModule.forRoot(settings), AppModule] })
class Root {}

const app = await NestFactory.create<NestExpressApplication>(Root, { bodyParser: false, logger: ['warn', 'error'] })
const rollcall = app.get<Service>(ROLLCALL)
// The pages that mails lead to: confirm, unsubscribe, preferences. They read their bodies themselves.
app.use('/mail', createHandler(rollcall.httpOptions))
app.useBodyParser('urlencoded', { extended: false, limit: '16kb' }).useBodyParser('json', { limit: '16kb' })
app.useGlobalFilters(new RefusalFilter())
app.disable('x-powered-by')
app.enableShutdownHooks()
// Mails and events go out from here on.
await rollcall.start(app.getHttpServer())
await app.listen(port, '127.0.0.1')
console.log(`http://127.0.0.1:${port}`)

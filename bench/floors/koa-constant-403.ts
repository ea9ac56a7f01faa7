// The limit of a refusal: no token is read, no role asked for.
import Koa from 'koa'
import { FORBIDDEN, listen } from './listen.ts'

const app = new Koa()
app.use((ctx) => {
  ctx.status = 403
  ctx.body = FORBIDDEN
})
listen(app.callback())

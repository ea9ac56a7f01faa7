// The limit of the framework: router and body parser, answers with a constant.
import Router from '@koa/router'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import { listen, PENDING } from './listen.ts'

const router = new Router()
router.post('/subscribe', (ctx) => {
  ctx.body = PENDING
})
listen(new Koa().use(bodyParser()).use(router.routes()).callback())

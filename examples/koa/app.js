import Router from '@koa/router'
import { InvalidInput } from '@rollcall/core'
import { createRouter } from '@rollcall/http-koa'
import { consentSource } from '@rollcall/http-koa/host'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'

/** A shop that was there before, with routes and a body parser of its own. */
const shopRouter = (useCases) =>
  new Router()
    .get('/', (ctx) => {
      ctx.body = 'The shop'
    })
    .post('/orders', async (ctx) => {
      const { article, email, newsletter } = /** @type {Record<string, string>} */ (ctx.request.body)
      // The use cases are there for the host's own code, too.
      if (newsletter === 'yes') {
        const source = consentSource('order', { address: ctx.ip, userAgent: ctx.get('User-Agent') })
        try {
          await useCases.subscribe.execute({ email, source })
        } catch (error) {
          if (!(error instanceof InvalidInput)) throw error
          ctx.throw(400, error.message)
        }
      }
      ctx.body = { ordered: article }
    })

export const createShop = ({ httpOptions, useCases }) => {
  const app = new Koa()
  // First Rollcall, which reads its bodies itself and leaves all other paths to what follows; then the body parser.
  app.use(createRouter(httpOptions).prefix('/mail').routes())
  app.use(bodyParser())
  app.use(shopRouter(useCases).routes())
  return app
}

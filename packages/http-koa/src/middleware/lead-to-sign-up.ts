import type { AppMiddleware } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { signUpLink } from '../pages/page.ts'
import { languageOf, offerPage, prefersPage, sendOn } from '../pages/send-page.ts'

/** Leads browsers from the root path to the sign-up page. For programs there is nothing at that path. */
export const leadToSignUp =
  ({ publicUrl }: HttpOptions): AppMiddleware =>
  async (ctx, next) => {
    if (ctx.path !== '/' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return await next()
    return await offerPage(ctx, async () => {
      if (!prefersPage(ctx)) return await next()
      const texts = languageOf(ctx)
      ctx.res.setHeader('Vary', 'Accept, Accept-Language')
      const page = { texts, title: texts.signUp.link, content: signUpLink(texts, publicUrl) }
      sendOn(ctx, `${publicUrl}/subscribe`, page)
    })
  }

import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { languageOf } from '../pages/language.ts'
import { sendPage } from '../pages/send-page.ts'
import { signUpPage } from '../pages/sign-up-page.ts'
import { fieldsOfQuery } from '../reading/fields.ts'

/** The sign-up page of a feed. */
export const showSignUp =
  ({ useCases, publicUrl }: HttpOptions): Step =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const name = query.text('feed')
    query.assertGood()
    const feed = await useCases.showFeed.execute({ name })
    ctx.res.setHeader('Vary', 'Accept-Language')
    sendPage(ctx, 200, signUpPage(languageOf(ctx, feed.language), feed, publicUrl), 'no-cache')
  }

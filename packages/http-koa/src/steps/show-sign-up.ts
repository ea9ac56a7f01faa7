import { InvalidInput } from '@rollcall/core'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { languageOf } from '../pages/language.ts'
import { prefersPage } from '../pages/prefers-page.ts'
import { sendPage } from '../pages/send-page.ts'
import { signUpPage } from '../pages/sign-up-page.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { problemWithReturn } from './problem-with-return.ts'

/** The sign-up page of a feed. */
export const showSignUp =
  ({ useCases, publicUrl }: HttpOptions): Step =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const name = query.text('feed')
    const returnTo = query.text('return_to') || undefined
    query.assertGood()
    const feed = await useCases.showFeed.execute({ name })
    // A closed feed leads nobody anywhere.
    const problem = feed.open ? problemWithReturn(feed, returnTo) : undefined
    if (problem !== undefined && !prefersPage(ctx)) throw new InvalidInput([problem])
    const texts = languageOf(ctx, feed.language)
    const challenge = useCases.createChallenge.required
    ctx.res.setHeader('Vary', 'Accept-Language')
    if (problem === undefined)
      sendPage(ctx, 200, signUpPage(texts, feed, publicUrl, { returnTo, challenge }), 'no-cache')
    else sendPage(ctx, 422, signUpPage(texts, feed, publicUrl, { problems: [problem], challenge }))
  }

import type { LinkPurpose } from '@rollcall/core'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { languageOf } from '../pages/language.ts'
import { linkPage } from '../pages/link-page.ts'
import { sendPage } from '../pages/send-page.ts'
import { linkTokenIn } from './link-token.ts'

/** Shows what a mailed link would do, and changes nothing: mail scanners follow links. */
export const showLink =
  ({ useCases }: HttpOptions, purpose: LinkPurpose): Step =>
  async (ctx) => {
    const subject = await useCases.showLink.execute({ purpose, token: linkTokenIn(ctx) })
    const texts = languageOf(ctx, subject.subscription?.locale, subject.feed?.language)
    sendPage(ctx, 200, linkPage(texts, purpose, subject))
  }

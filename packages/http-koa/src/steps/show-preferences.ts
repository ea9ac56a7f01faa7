import { type Preferences, preferencesRecord } from '@rollcall/core'
import type { RouteContext, Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { languageOf, type Texts } from '../pages/language.ts'
import { preferencesPage } from '../pages/preferences-page.ts'
import { prefersPage } from '../pages/prefers-page.ts'
import { sendPage } from '../pages/send-page.ts'
import { sendJson } from '../send.ts'
import { linkTokenIn } from './link-token.ts'

/** Shows the owner of an address what is subscribed with it, and changes nothing: mail scanners follow links. */
export const showPreferences =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const token = linkTokenIn(ctx)
    const preferences = await useCases.showPreferences.execute({ token })
    if (prefersPage(ctx)) sendPage(ctx, 200, preferencesPage(textsFor(ctx, preferences), preferences, token))
    else {
      ctx.res.setHeader('Cache-Control', 'no-store')
      sendJson(ctx, 200, JSON.stringify(preferencesRecord(preferences)))
    }
  }

/** The language that its owner chose, or that of the feed. */
export const textsFor = (ctx: RouteContext, { own }: Preferences): Texts =>
  languageOf(ctx, own.subscription.locale, own.feed.language)

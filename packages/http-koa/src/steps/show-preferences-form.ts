import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { askForPreferencesPage } from '../pages/ask-for-preferences-page.ts'
import { languageOf } from '../pages/language.ts'
import { sendPage } from '../pages/send-page.ts'

/** The page where an address asks for the link to its preferences. */
export const showPreferencesForm =
  ({ useCases }: HttpOptions): Step =>
  (ctx) => {
    const challenge = useCases.createChallenge.required
    ctx.res.setHeader('Vary', 'Accept-Language')
    sendPage(ctx, 200, askForPreferencesPage(languageOf(ctx), { challenge }), 'no-cache')
  }

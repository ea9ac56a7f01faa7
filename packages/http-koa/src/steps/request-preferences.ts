import { InvalidInput } from '@rollcall/core'
import { countInvalidInput } from '../count-invalid-input.ts'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { askedForPreferencesPage, askForPreferencesPage } from '../pages/ask-for-preferences-page.ts'
import { languageOf } from '../pages/language.ts'
import { prefersPage } from '../pages/prefers-page.ts'
import { sendPage } from '../pages/send-page.ts'
import { sendJson } from '../send.ts'

const MESSAGE = 'If this address has a subscription, a mail with the link to its preferences is on its way.'

/** Has the link to its preferences mailed to an address. Whatever is known of the address, the answer is the same. */
export const requestPreferences = (options: HttpOptions): Step => {
  const { useCases } = options
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const asPage = prefersPage(ctx)
    const command = {
      email: fields.requiredText('email'),
      locale: fields.text('locale'),
      website: fields.text('website'),
      altcha: fields.text('altcha'),
    }
    const texts = languageOf(ctx, command.locale)
    try {
      fields.assertGood()
      await useCases.requestPreferences.execute(command)
      if (asPage) sendPage(ctx, 200, askedForPreferencesPage(texts, command.email))
      else {
        ctx.res.setHeader('Cache-Control', 'no-store')
        sendJson(ctx, 200, JSON.stringify({ message: MESSAGE }))
      }
    } catch (error) {
      countInvalidInput(options, error)
      if (!asPage || !(error instanceof InvalidInput)) throw error
      const challenge = useCases.createChallenge.required
      sendPage(ctx, 422, askForPreferencesPage(texts, { email: command.email, problems: error.details, challenge }))
    }
  }
}

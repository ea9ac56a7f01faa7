import { InvalidInput, type PreferencesAction, preferencesRecord } from '@rollcall/core'
import { consentSourceOf } from '../consent-source.ts'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { erasedPage, preferencesOutcome } from '../pages/preferences-outcome.ts'
import { preferencesPage } from '../pages/preferences-page.ts'
import { prefersPage } from '../pages/prefers-page.ts'
import { sendPage } from '../pages/send-page.ts'
import type { Fields } from '../reading/fields.ts'
import { sendJson } from '../send.ts'
import { linkTokenIn } from './link-token.ts'
import { textsFor } from './show-preferences.ts'

/** Does what the owner of an address wants, and shows what came of it. */
export const changePreferences = (options: HttpOptions): Step => {
  const { useCases, publicUrl } = options
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const token = linkTokenIn(ctx)
    // Whether the link was superseded comes before what the body says; and once it is erased, nothing says which language.
    const before = await useCases.showPreferences.execute({ token })
    const asPage = prefersPage(ctx)
    const texts = textsFor(ctx, before)
    try {
      const change = changeIn(fields)
      fields.assertGood()
      const source = consentSourceOf(ctx, options, 'preferences')
      const result = await useCases.changePreferences.execute({ ...change, token, source })
      const { action, preferences } = result
      if (!asPage) {
        const record = preferences === undefined ? null : preferencesRecord(preferences)
        ctx.res.setHeader('Cache-Control', 'no-store')
        sendJson(ctx, 200, JSON.stringify({ message: MESSAGES[action], preferences: record }))
      } else if (preferences === undefined) sendPage(ctx, 200, erasedPage(texts, publicUrl, change.neverAgain ?? false))
      else sendPage(ctx, 200, preferencesPage(texts, preferences, token, { done: preferencesOutcome(texts, result) }))
    } catch (error) {
      if (!asPage || !(error instanceof InvalidInput)) throw error
      sendPage(ctx, 422, preferencesPage(texts, before, token, { problem: texts.preferences.problem }))
    }
  }
}

const changeIn = (fields: Fields) => ({
  action: fields.requiredText('action'),
  feed: fields.text('feed'),
  neverAgain: fields.flag('never_again'),
})

const MESSAGES = {
  subscribe: 'The subscription is confirmed.',
  end: 'The subscription has ended.',
  'end-all': 'All subscriptions of this address have ended.',
  erase: 'The subscriptions of this address, and all that was stored with them, were erased.',
  'never-again': 'All subscriptions of this address have ended, and no such mail will be sent to it again.',
  allow: 'This address may subscribe again.',
} as const satisfies Record<PreferencesAction, string>

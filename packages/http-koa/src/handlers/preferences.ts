import {
  FIELD_PREFIX,
  InvalidInput,
  type Preferences,
  type PreferencesAction,
  preferencesRecord,
  storedAboutAddressRecord,
} from '@rollcall/core'
import { consentSourceOf } from '../client-address.ts'
import type { Handler, RouteContext } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { linkTokenIn } from '../middleware/access.ts'
import type { Texts } from '../pages/language.ts'
import {
  erasedPage,
  preferencesOutcome,
  preferencesPage,
  preferencesRequestedPage,
  requestPreferencesPage,
  SHOWN_FIELDS,
} from '../pages/preferences-page.ts'
import { languageOf, prefersPage, sendPage } from '../pages/send-page.ts'
import type { Fields } from '../reading/fields.ts'
import { sendJson, sendResult } from '../send.ts'
import { countInvalidInput } from './sign-up.ts'

/** The page where a person asks for the link to the preferences of an address. */
export const showPreferencesForm =
  ({ useCases }: HttpOptions): Handler =>
  (ctx) => {
    const challenge = useCases.createChallenge.required
    ctx.res.setHeader('Vary', 'Accept-Language')
    sendPage(ctx, 200, requestPreferencesPage(languageOf(ctx), { challenge }), 'no-cache')
  }

const REQUESTED =
  'If this address has a subscription, a mail with the link to its preferences is sent within ten minutes.'

/** Mails the link to its preferences to an address. The answer is the same whether or not the address is known. */
export const requestPreferences = (options: HttpOptions): Handler => {
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
      if (asPage) sendPage(ctx, 200, preferencesRequestedPage(texts, command.email))
      else sendResult(ctx, { message: REQUESTED })
    } catch (error) {
      countInvalidInput(options, error)
      if (!asPage || !(error instanceof InvalidInput)) throw error
      const challenge = useCases.createChallenge.required
      sendPage(ctx, 422, requestPreferencesPage(texts, { email: command.email, problems: error.details, challenge }))
    }
  }
}

/** Shows the owner of an address its subscriptions, and changes nothing: mail scanners follow links. */
export const showPreferences =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const token = linkTokenIn(ctx)
    const preferences = await useCases.showPreferences.execute({ token })
    if (prefersPage(ctx)) sendPage(ctx, 200, preferencesPage(textsFor(ctx, preferences), preferences, token))
    else sendResult(ctx, preferencesRecord(preferences))
  }

/** In the language that the owner chose, else in that of the feed. */
export const textsFor = (ctx: RouteContext, { own }: Preferences): Texts =>
  languageOf(ctx, own.subscription.locale, own.feed.language)

/** Makes the change that the owner of an address asks for, and shows the result. */
export const changePreferences = (options: HttpOptions): Handler => {
  const { useCases, publicUrl } = options
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const token = linkTokenIn(ctx)
    // A superseded link is refused before the body is looked at; and after an erasure, the language would be unknown.
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
        sendResult(ctx, { message: MESSAGES[action], preferences: record })
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
  fields: { ...emptied(fields.texts(SHOWN_FIELDS)), ...fields.withPrefix(FIELD_PREFIX) },
})

/** A browser says nothing of a box that is not ticked: our page lists what it shows. */
const emptied = (names: readonly string[] = []) => Object.fromEntries(names.map((name) => [name, null]))

const MESSAGES = {
  subscribe: 'The subscription is confirmed.',
  update: 'The subscription is changed.',
  end: 'The subscription has ended.',
  'end-all': 'All subscriptions of this address have ended.',
  erase: 'The subscriptions of this address, and all that was stored with them, were erased.',
  'never-again': 'All subscriptions of this address have ended, and no such mail will be sent to it again.',
  allow: 'This address may subscribe again.',
} as const satisfies Record<PreferencesAction, string>

/** Everything stored about an address, for its owner to keep. */
export const exportPreferences =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const stored = await useCases.exportPreferences.execute({ token: linkTokenIn(ctx) })
    ctx.res.setHeader('Cache-Control', 'no-store')
    ctx.res.setHeader('Content-Disposition', 'attachment; filename="subscriptions.json"')
    sendJson(ctx, 200, JSON.stringify(storedAboutAddressRecord(stored), undefined, 2))
  }

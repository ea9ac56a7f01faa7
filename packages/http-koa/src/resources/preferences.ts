import {
  camelCased,
  FIELD_PREFIX,
  InvalidInput,
  PREFERENCES_ACTIONS,
  type PreferencesAction,
  type Preferences as PreferencesFound,
  publishedAboutAddress,
  publishedPreferences,
} from '@rollcall/core'
import { consentSourceOf } from '../client-address.ts'
import type { RouteContext } from '../exchange.ts'
import { linkTokenIn } from '../middleware/access.ts'
import { countInvalidInput } from '../middleware/count-invalid-input.ts'
import { operation, PAGE, resource } from '../operation/operation.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import type { Texts } from '../pages/language.ts'
import { managedPage, managePage } from '../pages/manage-page.ts'
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
import { sendJson } from '../send.ts'
import { result } from './record-of.ts'
import { StoredAboutAddress } from './stored-about-address.ts'
import { subscription } from './subscription-record.ts'

const PreferencesRequestForm = s.named(
  'PreferencesRequestForm',
  s.form({ email: w.email }, { locale: w.locale('for the page that answers'), website: w.honeypot, altcha: w.altcha }),
)
const PreferencesForm = s.named(
  'PreferencesForm',
  s.withFields(
    s.form(
      { action: s.wordOf(PREFERENCES_ACTIONS) },
      {
        feed: s.text(
          "For 'subscribe', 'update' and 'end': the name of a feed of which the address has a subscription.",
        ),
        never_again: s.flag("For 'erase': that no mail may be sent to the address afterwards."),
      },
    ),
    FIELD_PREFIX,
    "For 'update': the value of a field of the feed that its owner may change.",
  ),
)

const Preferences = s.named(
  'Preferences',
  s.record({
    email: s.text(),
    suppression: s.orNull(s.record(w.suppression), 'Why and since when the address gets no mail.'),
    subscriptions: s.arrayOf(
      s.record(
        { ...subscription, title: s.text("The feed's."), open: s.flag('Whether the feed accepts sign-ups.') },
        w.fieldValues,
      ),
    ),
  }),
)
const PreferencesChange = s.named(
  'PreferencesChange',
  s.record({
    message: s.text(),
    preferences: s.orNull(Preferences, 'As they are now; null once everything is erased.'),
  }),
)

const REQUESTED =
  'If this address has a subscription, a mail with the link to its preferences is sent within ten minutes.'
const MAILED =
  'If the subscription still exists, a mail with the link to its preferences is sent to its address within ten minutes.'

/** In the language that the owner chose, else in that of the feed. */
export const textsFor = (ctx: RouteContext, { own }: PreferencesFound): Texts =>
  languageOf(ctx, own.subscription.locale, own.feed.language)

/** A browser says nothing of a box that is not ticked: our page lists what it shows. */
const emptied = (fields: Fields) => Object.fromEntries((fields.words(SHOWN_FIELDS) ?? []).map((name) => [name, null]))

/** What was typed into fields and is wrong; undefined if something else is. */
const refusedIn = (
  { action, feed, fields }: { action?: string; feed?: string | null; fields?: Readonly<Record<string, unknown>> },
  { details }: InvalidInput,
) => {
  const isOfFields = details.every(({ field }) => field === 'fields' || field.startsWith(FIELD_PREFIX))
  return action === 'update' && feed && fields && isOfFields ? { feed, fields, problems: details } : undefined
}

const MESSAGES = {
  subscribe: 'The subscription is confirmed.',
  update: 'The subscription is changed.',
  end: 'The subscription has ended.',
  'end-all': 'All subscriptions of this address have ended.',
  erase: 'The subscriptions of this address, and all that was stored with them, were erased.',
  'never-again': 'All subscriptions of this address have ended, and no such mail will be sent to it again.',
  allow: 'This address may subscribe again.',
} as const satisfies Record<PreferencesAction, string>

/** What the owner of an address sees and changes. */
export const preferences = resource(
  'Preferences',
  [
    operation('GET /preferences', {
      id: 'showPreferencesForm',
      summary: 'The page where an address asks for the link to its preferences.',
      answers: { 200: PAGE },
      handle: ({ ctx, useCases }) => {
        const challenge = useCases.createChallenge.required
        ctx.res.setHeader('Vary', 'Accept-Language')
        sendPage(ctx, 200, requestPreferencesPage(languageOf(ctx), { challenge }), 'no-cache')
      },
    }),
    operation('POST /preferences', {
      id: 'requestPreferences',
      summary:
        'Have the link to its preferences mailed to an address. Whatever is known of it, the answer is the same.',
      body: PreferencesRequestForm,
      example: { email: 'jane@example.com', locale: 'en' },
      answers: { 200: w.Message },
      orPage: true,
      errors: ['TooManyRequests'],
      limited: 'preferences',
      handle: async ({ ctx, options, useCases, body, assertGood }) => {
        const asPage = prefersPage(ctx)
        const { email = '', locale } = body
        const texts = languageOf(ctx, locale)
        try {
          assertGood()
          await useCases.requestPreferences.execute(body)
          if (!asPage) return result({ message: REQUESTED })
          return sendPage(ctx, 200, preferencesRequestedPage(texts, email))
        } catch (error) {
          countInvalidInput(options, error)
          if (!asPage || !(error instanceof InvalidInput)) throw error
          const challenge = useCases.createChallenge.required
          return sendPage(ctx, 422, requestPreferencesPage(texts, { email, problems: error.details, challenge }))
        }
      },
    }),
    operation('GET /preferences/{token}', {
      id: 'showPreferences',
      summary: 'What is subscribed with the address that the link was mailed to. Changes nothing.',
      answers: { 200: Preferences },
      orPage: true,
      handle: async ({ ctx, useCases }) => {
        const token = linkTokenIn(ctx)
        const found = await useCases.showPreferences.execute({ token })
        if (!prefersPage(ctx)) return result(publishedPreferences(found))
        return sendPage(ctx, 200, preferencesPage(textsFor(ctx, found), found, token))
      },
    }),
    operation('POST /preferences/{token}', {
      id: 'changePreferences',
      summary: 'Subscribe to or end one feed, end or erase everything, or say whether mails may come again.',
      signed: 'preferences',
      body: PreferencesForm,
      example: { action: 'end-all' },
      answers: { 200: PreferencesChange },
      orPage: true,
      handle: async ({ ctx, options, useCases, body, fields, assertGood }) => {
        const token = linkTokenIn(ctx)
        // A superseded link is refused before the body is looked at; and after an erasure, the language would be unknown.
        const before = await useCases.showPreferences.execute({ token })
        const asPage = prefersPage(ctx)
        const texts = textsFor(ctx, before)
        try {
          assertGood()
          const source = consentSourceOf(ctx, options, 'preferences')
          const change = { ...camelCased(body), fields: { ...emptied(fields), ...body.fields }, token, source }
          const changed = await useCases.changePreferences.execute(change)
          const now = changed.preferences
          if (!asPage)
            return result({
              message: MESSAGES[changed.action],
              preferences: now === undefined ? null : publishedPreferences(now),
            })
          if (now === undefined)
            return sendPage(ctx, 200, erasedPage(texts, options.publicUrl, body.never_again ?? false))
          return sendPage(ctx, 200, preferencesPage(texts, now, token, { done: preferencesOutcome(texts, changed) }))
        } catch (error) {
          if (!asPage || !(error instanceof InvalidInput)) throw error
          const refused = refusedIn(body, error)
          const problem = refused === undefined ? texts.preferences.problem : undefined
          return sendPage(ctx, 422, preferencesPage(texts, before, token, { problem, refused }))
        }
      },
    }),
    operation('GET /preferences/{token}/export', {
      id: 'exportPreferences',
      summary: 'Everything that is stored about the address that the link was mailed to, to be kept as a file.',
      answers: { 200: StoredAboutAddress },
      handle: async ({ ctx, useCases }) => {
        const stored = await useCases.exportPreferences.execute({ token: linkTokenIn(ctx) })
        const record: s.Value<typeof StoredAboutAddress> = publishedAboutAddress(stored)
        ctx.res.setHeader('Cache-Control', 'no-store')
        ctx.res.setHeader('Content-Disposition', 'attachment; filename="subscriptions.json"')
        sendJson(ctx, 200, JSON.stringify(record, undefined, 2))
      },
    }),
    // One button, whatever became of the subscription: nothing is looked up, and nothing changes.
    operation('GET /manage/{token}', {
      id: 'showManage',
      summary:
        "A page with a button, for the link in a sender's mails. Changes nothing, and says nothing of the subscription.",
      signed: 'manage',
      answers: { 200: PAGE },
      handle: ({ ctx }) => sendPage(ctx, 200, managePage(languageOf(ctx))),
    }),
    operation('POST /manage/{token}', {
      id: 'mailPreferences',
      summary:
        'Have the link to its preferences mailed to the address of the subscription. Whatever became of it, the answer is the same.',
      signed: 'manage',
      reads: 'unused',
      answers: { 200: w.Message },
      orPage: true,
      handle: async ({ ctx, useCases }) => {
        await useCases.mailPreferences.execute({ token: linkTokenIn(ctx) })
        if (!prefersPage(ctx)) return result({ message: MAILED })
        return sendPage(ctx, 200, managedPage(languageOf(ctx)))
      },
    }),
  ],
  { orPage: true },
)

import type { TokenPurpose } from '@rollcall/core'
import type { Handler } from './exchange.ts'
import * as auditAndEvents from './handlers/audit-and-events.ts'
import * as bulk from './handlers/bulk.ts'
import * as challenge from './handlers/challenge.ts'
import * as face from './handlers/feed-face.ts'
import * as feedback from './handlers/feedback.ts'
import * as feeds from './handlers/feeds.ts'
import { followLink, showLink } from './handlers/links.ts'
import * as manage from './handlers/manage.ts'
import * as moves from './handlers/moves.ts'
import * as preferences from './handlers/preferences.ts'
import * as recipients from './handlers/recipients.ts'
import * as service from './handlers/service.ts'
import { showSignUp, subscribe } from './handlers/sign-up.ts'
import * as stats from './handlers/stats.ts'
import * as subscriptions from './handlers/subscriptions.ts'
import * as tokens from './handlers/tokens.ts'
import * as transfer from './handlers/transfer.ts'
import * as users from './handlers/users.ts'
import * as webhooks from './handlers/webhooks.ts'
import type { HttpOptions } from './http-options.ts'
import { againIfLate, authenticate, authorize, requireLink } from './middleware/access.ts'
import { cors } from './middleware/cors.ts'
import { requireKnownQuery } from './middleware/known-query.ts'
import { limitNetwork } from './middleware/network-limit.ts'
import { limitForgeries, limitGuesses, limitRate } from './middleware/rate-limit.ts'
import { type GuardedOperation, IMPORTS, isWriting } from './openapi/operation.ts'
import { GUARDED_OPERATIONS, type GuardedRoute, type PublicRoute } from './openapi/operations.ts'
import { offerPage } from './pages/send-page.ts'
import { parseBody, parseJson, parsePatch } from './reading/request-body.ts'

/**
 * Every endpoint, as the steps that a request goes through, in order. A limit on how often somebody may ask stands
 * before the body is read, and so does the check of a link's signature; a challenge that is answered in the body stands
 * after it.
 */
export const routesOf = (options: HttpOptions): Readonly<Record<string, readonly Handler[]>> => ({
  ...publicRoutes(options),
  ...guardedRoutes(options),
})

const publicRoutes = (options: HttpOptions) => {
  const guessed = limitGuesses(options)
  const network = limitNetwork(options)
  const signed = (purpose: TokenPurpose) => requireLink(options, purpose)
  return {
    'POST /subscribe': [
      offerPage,
      cors(options),
      limitRate(options, 'subscribe'),
      network.refuse,
      parseBody,
      network.count,
      subscribe(options),
    ],
    'OPTIONS /subscribe': [cors(options)],
    'GET /subscribe': [offerPage, showSignUp(options)],

    'GET /challenge': [cors(options, 'GET'), challenge.getChallenge(options)],
    'OPTIONS /challenge': [cors(options, 'GET')],
    'GET /challenge.js': [challenge.getChallengeScript(options)],

    'GET /confirm/{token}': [offerPage, guessed, showLink(options, 'confirm')],
    'POST /confirm/{token}': [offerPage, guessed, signed('confirm'), parseBody, followLink(options, 'confirm')],
    'GET /refuse/{token}': [offerPage, guessed, showLink(options, 'refuse')],
    'POST /refuse/{token}': [offerPage, guessed, signed('refuse'), parseBody, followLink(options, 'refuse')],
    'GET /unsubscribe/{token}': [offerPage, guessed, showLink(options, 'unsubscribe')],
    // Whatever its body is or says, it is not read.
    'POST /unsubscribe/{token}': [offerPage, guessed, followLink(options, 'unsubscribe')],

    'GET /preferences': [offerPage, preferences.showPreferencesForm(options)],
    'POST /preferences': [
      offerPage,
      limitRate(options, 'preferences'),
      network.refuse,
      parseBody,
      network.count,
      preferences.requestPreferences(options),
    ],
    'GET /preferences/{token}': [offerPage, guessed, preferences.showPreferences(options)],
    'POST /preferences/{token}': [
      offerPage,
      guessed,
      signed('preferences'),
      parseBody,
      preferences.changePreferences(options),
    ],
    'POST /preferences/{token}/move': [
      offerPage,
      guessed,
      signed('preferences'),
      limitRate(options, 'preferences'),
      network.refuse,
      parseBody,
      network.count,
      moves.requestMove(options),
    ],
    'GET /move/{token}': [offerPage, guessed, moves.showMove(options, 'move')],
    'POST /move/{token}': [offerPage, guessed, signed('move'), parseBody, moves.followMove(options, 'move')],
    'GET /undo/{token}': [offerPage, guessed, moves.showMove(options, 'undo')],
    'POST /undo/{token}': [offerPage, guessed, signed('undo'), parseBody, moves.followMove(options, 'undo')],
    'GET /preferences/{token}/export': [offerPage, guessed, preferences.exportPreferences(options)],

    'GET /manage/{token}': [offerPage, guessed, signed('manage'), manage.showManage],
    'POST /manage/{token}': [offerPage, guessed, signed('manage'), parseBody, manage.mailPreferences(options)],

    'POST /feedback/ses': [limitForgeries(options), feedback.receiveFeedback(options, 'ses')],

    'GET /livez': [service.getLiveness],
    'GET /readyz': [service.getReadiness(options)],
    'GET /.well-known/jwks.json': [service.getKeys(options)],
    'GET /openapi.json': [service.getOpenApi(options)],
  } satisfies Record<PublicRoute | 'OPTIONS /subscribe' | 'OPTIONS /challenge', readonly Handler[]>
}

/**
 * What the description of an endpoint demands stands before its handler: the caller, its permission, the body; where it
 * writes, also that it knows each parameter.
 */
const guardedRoutes = (options: HttpOptions) => {
  const known = authenticate(options)
  return Object.fromEntries(
    Object.entries(guardedHandlers(options)).map(([route, handler]) => {
      const operation: GuardedOperation = GUARDED_OPERATIONS[route as GuardedRoute]
      const { guarded, self, body, query = {} } = operation
      const parameter = /\{(\w+)\}/.exec(route)?.[1]
      // The use case asks about a user itself: it depends on who that is.
      const may = self ? [] : [authorize(options, guarded, parameter)]
      const parsed = body === undefined ? [] : [parserOf(operation), againIfLate([known, ...may])]
      const asked = isWriting(route) ? [requireKnownQuery(Object.keys(query))] : []
      return [route, [known, ...may, ...parsed, ...asked, handler]]
    }),
  )
}

const parserOf = ({ body, mergePatch, jsonOnly }: GuardedOperation): Handler => {
  // Its handler reads it.
  if (body === 'picture') return (_, next) => next()
  if (body !== undefined && body in IMPORTS) return transfer.requireFile
  return mergePatch ? parsePatch : jsonOnly ? parseJson : parseBody
}

/** A fixed path stands before the pattern that it would match, too. */
const guardedHandlers = (options: HttpOptions): Readonly<Record<GuardedRoute, Handler>> => ({
  'GET /users': users.listUsers(options),
  'POST /users/import': transfer.importUsers(options),
  'GET /users/{userId}': users.getUser(options),
  'PUT /users/{userId}': users.putUser(options),
  'PATCH /users/{userId}': users.patchUser(options),
  'DELETE /users/{userId}': users.deleteUser(options),
  'GET /users/{userId}/export': users.exportUser(options),
  'GET /users/{userId}/erasure': users.getErasureReceipt(options),
  'POST /users/{userId}/restore': users.restoreUser(options),
  'POST /users/{userId}/suspend': users.changeSuspension(options, 'suspendUser'),
  'POST /users/{userId}/resume': users.changeSuspension(options, 'resumeUser'),
  'POST /bulk/users/delete': bulk.changeUsers(options, 'delete'),
  'POST /bulk/users/restore': bulk.changeUsers(options, 'restore'),
  'POST /bulk/users/suspend': bulk.changeUsers(options, 'suspend'),
  'POST /bulk/users/resume': bulk.changeUsers(options, 'resume'),
  'POST /bulk/users/roles': bulk.changeUsers(options, 'roles'),
  'GET /feeds': feeds.listFeeds(options),
  'GET /feeds/{name}': feeds.getFeed(options),
  'PUT /feeds/{name}': feeds.putFeed(options),
  'PATCH /feeds/{name}': feeds.patchFeed(options),
  'DELETE /feeds/{name}': feeds.deleteFeed(options),
  'GET /feeds/{name}/logo': face.getFeedLogo(options),
  'PUT /feeds/{name}/logo': face.putFeedLogo(options),
  'DELETE /feeds/{name}/logo': face.deleteFeedLogo(options),
  'GET /feeds/{name}/preview': face.previewFeed(options),
  'POST /feeds/{name}/preview': face.sendPreview(options),
  'GET /feeds/{name}/recipients': recipients.listRecipients(options),
  'POST /feeds/{name}/recipients/check': recipients.checkRecipients(options),
  'GET /subscriptions': subscriptions.listSubscriptions(options),
  'GET /subscriptions/explain': subscriptions.explainSubscriptions(options),
  'GET /subscriptions/export': transfer.exportSubscriptions(options),
  'POST /subscriptions/import': transfer.importSubscriptions(options),
  'GET /subscriptions/{subscriptionId}': subscriptions.getSubscription(options),
  'DELETE /subscriptions/{subscriptionId}': subscriptions.eraseSubscription(options),
  'GET /subscriptions/{subscriptionId}/consent': subscriptions.getConsent(options),
  'POST /subscriptions/{subscriptionId}/confirm': subscriptions.actOnBehalf(options, 'confirmOnBehalf'),
  'POST /subscriptions/{subscriptionId}/end': subscriptions.actOnBehalf(options, 'endOnBehalf'),
  'GET /suppressions': subscriptions.listSuppressions(options),
  'POST /suppressions/import': transfer.importSuppressions(options),
  'POST /suppressions/check': recipients.checkSuppressions(options),
  'DELETE /suppressions/{address}': subscriptions.liftSuppression(options),
  'POST /feedback': feedback.recordFeedback(options),
  'GET /feedback': feedback.listFeedback(options),
  'POST /feedback/accept': feedback.decideFeedback(options, 'accept'),
  'POST /feedback/drop': feedback.decideFeedback(options, 'drop'),
  'GET /undeliverable': feedback.listUndeliverable(options),
  'DELETE /undeliverable/{address}': feedback.liftUndeliverable(options),
  'GET /events': auditAndEvents.listEvents(options),
  'GET /webhooks': webhooks.listWebhooks(options),
  'GET /webhooks/{name}': webhooks.getWebhook(options),
  'PUT /webhooks/{name}': webhooks.putWebhook(options),
  'PATCH /webhooks/{name}': webhooks.patchWebhook(options),
  'DELETE /webhooks/{name}': webhooks.deleteWebhook(options),
  'POST /webhooks/{name}/rotate': webhooks.rotateWebhookSecret(options),
  'POST /webhooks/{name}/redeliver': webhooks.redeliverEvents(options),
  'GET /stats': stats.getStats(options),
  'GET /tokens': tokens.listTokens(options),
  'DELETE /tokens/{jti}': tokens.revokeToken(options),
  'GET /audit': auditAndEvents.listAudit(options),
})

import type { Handler } from './exchange.ts'
import { listAudit, listEvents } from './handlers/audit-and-events.ts'
import { getChallenge, getChallengeScript } from './handlers/challenge.ts'
import { deleteFeed, getFeed, listFeeds, putFeed } from './handlers/feeds.ts'
import { followLink, showLink } from './handlers/links.ts'
import {
  changePreferences,
  exportPreferences,
  requestPreferences,
  showPreferences,
  showPreferencesForm,
} from './handlers/preferences.ts'
import { getKeys, getLiveness, getOpenApi, getReadiness } from './handlers/service.ts'
import { showSignUp, subscribe } from './handlers/sign-up.ts'
import {
  actOnBehalf,
  eraseSubscription,
  getConsent,
  getSubscription,
  liftSuppression,
  listSubscriptions,
  listSuppressions,
} from './handlers/subscriptions.ts'
import { exportSubscriptions, importSubscriptions } from './handlers/transfer.ts'
import {
  deleteUser,
  exportUser,
  getErasureReceipt,
  getUser,
  listUsers,
  putUser,
  restoreUser,
} from './handlers/users.ts'
import {
  deleteWebhook,
  getWebhook,
  listWebhooks,
  putWebhook,
  redeliverEvents,
  rotateWebhookSecret,
} from './handlers/webhooks.ts'
import type { HttpOptions } from './http-options.ts'
import { authenticate } from './middleware/authenticate.ts'
import { authorize } from './middleware/authorize.ts'
import { parseBody } from './middleware/body-parser.ts'
import { constantTimeResponse } from './middleware/constant-time-response.ts'
import { offerPage } from './middleware/content-negotiation.ts'
import { cors } from './middleware/cors.ts'
import { limitGuesses, limitRate } from './middleware/rate-limit.ts'
import { requireLink } from './middleware/require-link.ts'

/**
 * Every endpoint, as the steps that a request goes through, in order. A limit on how often somebody may ask stands
 * before the body is read, and so does the check of a link's signature; a challenge that is answered in the body stands
 * after it.
 */
export const routesOf = (options: HttpOptions) => {
  const known = authenticate(options)
  const guessed = limitGuesses(options)
  const mayWriteUsers = authorize(options, 'users:write', 'user.put', 'userId')
  const mayDeleteUsers = authorize(options, 'users:delete', 'user.delete', 'userId')
  const mayRestoreUsers = authorize(options, 'users:restore', 'user.restore', 'userId')
  const mayReadUsers = authorize(options, 'users:read', 'user.read')
  const mayReadFeeds = authorize(options, 'feeds:read', 'feed.read')
  const mayWriteFeeds = authorize(options, 'feeds:write', 'feed.put', 'name')
  const mayReadSubscriptions = authorize(options, 'subscriptions:read', 'subscription.read')
  const mayExport = authorize(options, 'subscriptions:export', 'subscription.export')
  const mayImport = authorize(options, 'subscriptions:import', 'subscription.import')
  const mayConfirm = authorize(options, 'subscriptions:write', 'subscription.confirm', 'subscriptionId')
  const mayEnd = authorize(options, 'subscriptions:write', 'subscription.end', 'subscriptionId')
  const mayReadSuppressions = authorize(options, 'suppressions:read', 'suppression.read')
  const mayReadEvents = authorize(options, 'events:read', 'event.read')
  const mayReadWebhooks = authorize(options, 'webhooks:read', 'webhook.read')
  const mayWriteWebhooks = authorize(options, 'webhooks:write', 'webhook.put', 'name')
  const mayRotate = authorize(options, 'webhooks:write', 'webhook.rotate', 'name')
  const mayRedeliver = authorize(options, 'webhooks:write', 'webhook.redeliver', 'name')
  const mayReadAudit = authorize(options, 'audit:read', 'audit.read')
  return {
    'POST /subscribe': [
      offerPage,
      cors(options),
      limitRate(options, 'subscribe'),
      parseBody,
      constantTimeResponse,
      subscribe(options),
    ],
    'OPTIONS /subscribe': [cors(options)],
    'GET /subscribe': [offerPage, showSignUp(options)],

    'GET /challenge': [cors(options, 'GET'), getChallenge(options)],
    'OPTIONS /challenge': [cors(options, 'GET')],
    'GET /challenge.js': [getChallengeScript(options)],

    'GET /confirm/{token}': [offerPage, guessed, showLink(options, 'confirm')],
    'POST /confirm/{token}': [
      offerPage,
      guessed,
      requireLink(options, 'confirm'),
      parseBody,
      followLink(options, 'confirm'),
    ],
    'GET /refuse/{token}': [offerPage, guessed, showLink(options, 'refuse')],
    'POST /refuse/{token}': [
      offerPage,
      guessed,
      requireLink(options, 'refuse'),
      parseBody,
      followLink(options, 'refuse'),
    ],
    'GET /unsubscribe/{token}': [offerPage, guessed, showLink(options, 'unsubscribe')],
    // Whatever its body is or says, it is not read.
    'POST /unsubscribe/{token}': [offerPage, guessed, followLink(options, 'unsubscribe')],

    'GET /preferences': [offerPage, showPreferencesForm(options)],
    'POST /preferences': [
      offerPage,
      limitRate(options, 'preferences'),
      parseBody,
      constantTimeResponse,
      requestPreferences(options),
    ],
    'GET /preferences/{token}': [offerPage, guessed, showPreferences(options)],
    'POST /preferences/{token}': [
      offerPage,
      guessed,
      requireLink(options, 'preferences'),
      parseBody,
      changePreferences(options),
    ],
    'GET /preferences/{token}/export': [offerPage, guessed, exportPreferences(options)],

    'GET /users': [known, mayReadUsers, listUsers(options)],
    'GET /users/{userId}': [known, getUser(options)],
    'PUT /users/{userId}': [known, mayWriteUsers, parseBody, putUser(options)],
    'DELETE /users/{userId}': [known, mayDeleteUsers, deleteUser(options)],
    'GET /users/{userId}/export': [known, exportUser(options)],
    'GET /users/{userId}/erasure': [known, getErasureReceipt(options)],
    'POST /users/{userId}/restore': [known, mayRestoreUsers, parseBody, restoreUser(options)],
    'GET /feeds': [known, mayReadFeeds, listFeeds(options)],
    'GET /feeds/{name}': [known, getFeed(options)],
    'PUT /feeds/{name}': [known, mayWriteFeeds, parseBody, putFeed(options)],
    'DELETE /feeds/{name}': [known, deleteFeed(options)],
    'GET /subscriptions': [known, mayReadSubscriptions, listSubscriptions(options)],
    'GET /subscriptions/export': [known, mayExport, exportSubscriptions(options)],
    'POST /subscriptions/import': [known, mayImport, importSubscriptions(options)],
    'GET /subscriptions/{subscriptionId}': [known, getSubscription(options)],
    'DELETE /subscriptions/{subscriptionId}': [known, eraseSubscription(options)],
    'GET /subscriptions/{subscriptionId}/consent': [known, getConsent(options)],
    'POST /subscriptions/{subscriptionId}/confirm': [
      known,
      mayConfirm,
      parseBody,
      actOnBehalf(options, 'confirmOnBehalf'),
    ],
    'POST /subscriptions/{subscriptionId}/end': [known, mayEnd, parseBody, actOnBehalf(options, 'endOnBehalf')],
    'GET /suppressions': [known, mayReadSuppressions, listSuppressions(options)],
    'DELETE /suppressions/{address}': [known, liftSuppression(options)],
    'GET /events': [known, mayReadEvents, listEvents(options)],
    'GET /webhooks': [known, mayReadWebhooks, listWebhooks(options)],
    'GET /webhooks/{name}': [known, getWebhook(options)],
    'PUT /webhooks/{name}': [known, mayWriteWebhooks, parseBody, putWebhook(options)],
    'DELETE /webhooks/{name}': [known, deleteWebhook(options)],
    'POST /webhooks/{name}/rotate': [known, mayRotate, parseBody, rotateWebhookSecret(options)],
    'POST /webhooks/{name}/redeliver': [known, mayRedeliver, parseBody, redeliverEvents(options)],
    'GET /audit': [known, mayReadAudit, listAudit(options)],

    'GET /livez': [getLiveness],
    'GET /readyz': [getReadiness(options)],
    'GET /.well-known/jwks.json': [getKeys(options)],
    'GET /openapi.json': [getOpenApi(options)],
  } as const satisfies Record<`${string} /${string}`, readonly Handler[]>
}

export type RouteName = keyof ReturnType<typeof routesOf>

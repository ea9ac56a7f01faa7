import {
  ConfirmOnBehalfUseCase,
  DeleteFeedUseCase,
  DeleteUserUseCase,
  DeleteWebhookUseCase,
  EndOnBehalfUseCase,
  EraseSubscriptionUseCase,
  ExportSubscriptionsUseCase,
  GetConsentUseCase,
  GetErasureReceiptUseCase,
  GetFeedUseCase,
  GetSubscriptionUseCase,
  GetWebhookUseCase,
  type Guarded,
  ImportSubscriptionsUseCase,
  LiftSuppressionUseCase,
  ListAuditUseCase,
  ListEventsUseCase,
  ListFeedsUseCase,
  ListSubscriptionsUseCase,
  ListSuppressionsUseCase,
  ListUsersUseCase,
  ListWebhooksUseCase,
  PutFeedUseCase,
  PutUserUseCase,
  PutWebhookUseCase,
  RedeliverEventsUseCase,
  RestoreUserUseCase,
  RotateWebhookSecretUseCase,
} from '@rollcall/core'
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
import type { DocumentedRoute } from './openapi/operations.ts'

/**
 * Every endpoint, as the steps that a request goes through, in order. A limit on how often somebody may ask stands
 * before the body is read, and so does the check of a link's signature; a challenge that is answered in the body stands
 * after it.
 */
export const routesOf = (options: HttpOptions) => {
  const known = authenticate(options)
  const guessed = limitGuesses(options)
  const may = (guarded: Guarded, parameter?: string) => authorize(options, guarded, parameter)
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

    'GET /users': [known, may(ListUsersUseCase), listUsers(options)],
    'GET /users/{userId}': [known, getUser(options)],
    'PUT /users/{userId}': [known, may(PutUserUseCase, 'userId'), parseBody, putUser(options)],
    'DELETE /users/{userId}': [known, may(DeleteUserUseCase, 'userId'), deleteUser(options)],
    'GET /users/{userId}/export': [known, exportUser(options)],
    'GET /users/{userId}/erasure': [known, may(GetErasureReceiptUseCase, 'userId'), getErasureReceipt(options)],
    'POST /users/{userId}/restore': [known, may(RestoreUserUseCase, 'userId'), parseBody, restoreUser(options)],
    'GET /feeds': [known, may(ListFeedsUseCase), listFeeds(options)],
    'GET /feeds/{name}': [known, may(GetFeedUseCase, 'name'), getFeed(options)],
    'PUT /feeds/{name}': [known, may(PutFeedUseCase, 'name'), parseBody, putFeed(options)],
    'DELETE /feeds/{name}': [known, may(DeleteFeedUseCase, 'name'), deleteFeed(options)],
    'GET /subscriptions': [known, may(ListSubscriptionsUseCase), listSubscriptions(options)],
    'GET /subscriptions/export': [known, may(ExportSubscriptionsUseCase), exportSubscriptions(options)],
    'POST /subscriptions/import': [known, may(ImportSubscriptionsUseCase), importSubscriptions(options)],
    'GET /subscriptions/{subscriptionId}': [
      known,
      may(GetSubscriptionUseCase, 'subscriptionId'),
      getSubscription(options),
    ],
    'DELETE /subscriptions/{subscriptionId}': [
      known,
      may(EraseSubscriptionUseCase, 'subscriptionId'),
      eraseSubscription(options),
    ],
    'GET /subscriptions/{subscriptionId}/consent': [
      known,
      may(GetConsentUseCase, 'subscriptionId'),
      getConsent(options),
    ],
    'POST /subscriptions/{subscriptionId}/confirm': [
      known,
      may(ConfirmOnBehalfUseCase, 'subscriptionId'),
      parseBody,
      actOnBehalf(options, 'confirmOnBehalf'),
    ],
    'POST /subscriptions/{subscriptionId}/end': [
      known,
      may(EndOnBehalfUseCase, 'subscriptionId'),
      parseBody,
      actOnBehalf(options, 'endOnBehalf'),
    ],
    'GET /suppressions': [known, may(ListSuppressionsUseCase), listSuppressions(options)],
    'DELETE /suppressions/{address}': [known, may(LiftSuppressionUseCase, 'address'), liftSuppression(options)],
    'GET /events': [known, may(ListEventsUseCase), listEvents(options)],
    'GET /webhooks': [known, may(ListWebhooksUseCase), listWebhooks(options)],
    'GET /webhooks/{name}': [known, may(GetWebhookUseCase, 'name'), getWebhook(options)],
    'PUT /webhooks/{name}': [known, may(PutWebhookUseCase, 'name'), parseBody, putWebhook(options)],
    'DELETE /webhooks/{name}': [known, may(DeleteWebhookUseCase, 'name'), deleteWebhook(options)],
    'POST /webhooks/{name}/rotate': [
      known,
      may(RotateWebhookSecretUseCase, 'name'),
      parseBody,
      rotateWebhookSecret(options),
    ],
    'POST /webhooks/{name}/redeliver': [
      known,
      may(RedeliverEventsUseCase, 'name'),
      parseBody,
      redeliverEvents(options),
    ],
    'GET /audit': [known, may(ListAuditUseCase), listAudit(options)],

    'GET /livez': [getLiveness],
    'GET /readyz': [getReadiness(options)],
    'GET /.well-known/jwks.json': [getKeys(options)],
    'GET /openapi.json': [getOpenApi(options)],
  } satisfies Record<DocumentedRoute | 'OPTIONS /subscribe' | 'OPTIONS /challenge', readonly Handler[]>
}

import {
  ConfirmOnBehalfUseCase,
  DeleteFeedUseCase,
  DeleteUserUseCase,
  DeleteWebhookUseCase,
  EndOnBehalfUseCase,
  EraseSubscriptionUseCase,
  ExportSubscriptionsUseCase,
  GetErasureReceiptUseCase,
  GetEvidenceUseCase,
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
import type { Step } from './exchange.ts'
import type { HttpOptions } from './http-options.ts'
import type { DocumentedRoute } from './openapi/operations.ts'
import { actOnBehalf } from './steps/act-on-behalf.ts'
import { authenticate } from './steps/authenticate.ts'
import { authorize } from './steps/authorize.ts'
import { changePreferences } from './steps/change-preferences.ts'
import { crossOrigin } from './steps/cross-origin.ts'
import { deleteFeed } from './steps/delete-feed.ts'
import { deleteUser } from './steps/delete-user.ts'
import { deleteWebhook } from './steps/delete-webhook.ts'
import { eraseSubscription } from './steps/erase-subscription.ts'
import { evenTime } from './steps/even-time.ts'
import { exportPreferences } from './steps/export-preferences.ts'
import { exportSubscriptions } from './steps/export-subscriptions.ts'
import { exportUser } from './steps/export-user.ts'
import { followLink } from './steps/follow-link.ts'
import { getChallenge } from './steps/get-challenge.ts'
import { getChallengeScript } from './steps/get-challenge-script.ts'
import { getConsent } from './steps/get-consent.ts'
import { getErasureReceipt } from './steps/get-erasure-receipt.ts'
import { getFeed } from './steps/get-feed.ts'
import { getKeys } from './steps/get-keys.ts'
import { getLiveness } from './steps/get-liveness.ts'
import { getOpenApi } from './steps/get-open-api.ts'
import { getReadiness } from './steps/get-readiness.ts'
import { getSubscription } from './steps/get-subscription.ts'
import { getUser } from './steps/get-user.ts'
import { getWebhook } from './steps/get-webhook.ts'
import { importSubscriptions } from './steps/import-subscriptions.ts'
import { liftSuppression } from './steps/lift-suppression.ts'
import { limitGuesses, limitRate } from './steps/limit-rate.ts'
import { listAudit } from './steps/list-audit.ts'
import { listEvents } from './steps/list-events.ts'
import { listFeeds } from './steps/list-feeds.ts'
import { listSubscriptions } from './steps/list-subscriptions.ts'
import { listSuppressions } from './steps/list-suppressions.ts'
import { listUsers } from './steps/list-users.ts'
import { listWebhooks } from './steps/list-webhooks.ts'
import { offerPage } from './steps/offer-page.ts'
import { parseBody } from './steps/parse-body.ts'
import { putFeed } from './steps/put-feed.ts'
import { putUser } from './steps/put-user.ts'
import { putWebhook } from './steps/put-webhook.ts'
import { redeliverEvents } from './steps/redeliver-events.ts'
import { requestPreferences } from './steps/request-preferences.ts'
import { requireLink } from './steps/require-link.ts'
import { restoreUser } from './steps/restore-user.ts'
import { rotateWebhookSecret } from './steps/rotate-webhook-secret.ts'
import { showLink } from './steps/show-link.ts'
import { showPreferences } from './steps/show-preferences.ts'
import { showPreferencesForm } from './steps/show-preferences-form.ts'
import { showSignUp } from './steps/show-sign-up.ts'
import { subscribe } from './steps/subscribe.ts'

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
      crossOrigin(options),
      limitRate(options, 'subscribe'),
      parseBody,
      evenTime,
      subscribe(options),
    ],
    'OPTIONS /subscribe': [crossOrigin(options)],
    'GET /subscribe': [offerPage, showSignUp(options)],

    'GET /challenge': [crossOrigin(options, 'GET'), getChallenge(options)],
    'OPTIONS /challenge': [crossOrigin(options, 'GET')],
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
      evenTime,
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
      may(GetEvidenceUseCase, 'subscriptionId'),
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
  } satisfies Record<DocumentedRoute | 'OPTIONS /subscribe' | 'OPTIONS /challenge', readonly Step[]>
}

/** What may be done next with what an answer has, or with what the request named. */
interface Link {
  readonly operationId: string
  readonly parameters: Readonly<Record<string, string>>
}

type Links = Readonly<Record<string, Link>>

/** The value for one parameter of several operations. */
const linksTo = (parameter: string, value: string, operationIds: readonly string[]): Links =>
  Object.fromEntries(
    operationIds.map((operationId) => [operationId, { operationId, parameters: { [parameter]: value } }]),
  )

const OF_USER = ['getUser', 'patchUser', 'suspendUser', 'resumeUser', 'deleteUser', 'exportUser'] as const
const OF_DELETED_USER = ['getErasureReceipt', 'restoreUser'] as const
const OF_FEED = ['getFeed', 'patchFeed', 'deleteFeed'] as const
const LISTED_BY_FEED = ['listSubscriptions', 'exportSubscriptions', 'showSignUp'] as const
const OF_SUBSCRIPTION = [
  'getSubscription',
  'getConsent',
  'confirmOnBehalf',
  'endOnBehalf',
  'eraseSubscription',
] as const
const OF_WEBHOOK = ['getWebhook', 'patchWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'redeliverEvents'] as const

const ofFeed = (value: string): Links => ({
  ...linksTo('name', value, OF_FEED),
  ...linksTo('feed', value, LISTED_BY_FEED),
})

export const LINKS: Readonly<Record<string, Readonly<Record<number, Links>>>> = {
  subscribe: { 200: linksTo('subscriptionId', '$response.body#/subscription/id', OF_SUBSCRIPTION) },
  listUsers: { 200: linksTo('userId', '$response.body#/items/0/id', OF_USER) },
  putUser: {
    201: linksTo('userId', '$response.body#/id', OF_USER),
    204: linksTo('userId', '$request.path.userId', OF_USER),
  },
  deleteUser: { 204: linksTo('userId', '$request.path.userId', OF_DELETED_USER) },
  listFeeds: { 200: ofFeed('$response.body#/items/0/name') },
  putFeed: { 201: ofFeed('$response.body#/name'), 204: ofFeed('$request.path.name') },
  listSubscriptions: { 200: linksTo('subscriptionId', '$response.body#/items/0/id', OF_SUBSCRIPTION) },
  getSubscription: { 200: linksTo('subscriptionId', '$response.body#/id', OF_SUBSCRIPTION) },
  listSuppressions: { 200: linksTo('address', '$response.body#/items/0/address', ['liftSuppression']) },
  listUndeliverable: { 200: linksTo('address', '$response.body#/items/0/address', ['liftUndeliverable']) },
  listTokens: { 200: linksTo('jti', '$response.body#/items/0/jti', ['revokeToken']) },
  listWebhooks: { 200: linksTo('name', '$response.body#/items/0/name', OF_WEBHOOK) },
  putWebhook: {
    201: linksTo('name', '$response.body#/name', OF_WEBHOOK),
    204: linksTo('name', '$request.path.name', OF_WEBHOOK),
  },
}

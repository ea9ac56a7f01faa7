import { auditStoreContract } from './audit-store.ts'
import { consentStoreContract } from './consent-store.ts'
import { eventStoreContract } from './event-store.ts'
import { feedStoreContract } from './feed-store.ts'
import { heldUserStoreContract } from './held-user-store.ts'
import { keptMailStoreContract } from './kept-mail-store.ts'
import { lastAdministratorContract } from './last-administrator.ts'
import { mailCapStoreContract } from './mail-cap-store.ts'
import { outboxLeasesContract } from './outbox-leases.ts'
import { outboxStoreContract } from './outbox-store.ts'
import { signUpCountStoreContract } from './sign-up-count-store.ts'
import { spentChallengeStoreContract } from './spent-challenge-store.ts'
import type { OpenStorage } from './storage-under-test.ts'
import { subscriptionIdsContract } from './subscription-ids.ts'
import { subscriptionListContract } from './subscription-list.ts'
import { subscriptionStoreContract } from './subscription-store.ts'
import { suppressionStoreContract } from './suppression-store.ts'
import { tombstoneStoreContract } from './tombstone-store.ts'
import { unitOfWorkContract } from './unit-of-work.ts'
import { userListContract } from './user-list.ts'
import { userStoreContract } from './user-store.ts'
import { webhookDeliveryLeasesContract } from './webhook-delivery-leases.ts'
import { webhookDeliveryStoreContract } from './webhook-delivery-store.ts'
import { webhookStoreContract } from './webhook-store.ts'

/** Every suite that a storage must pass. */
export const storageContract = (open: OpenStorage): void => {
  unitOfWorkContract(open)
  userStoreContract(open)
  userListContract(open)
  lastAdministratorContract(open)
  tombstoneStoreContract(open)
  heldUserStoreContract(open)
  feedStoreContract(open)
  subscriptionStoreContract(open)
  subscriptionIdsContract(open)
  subscriptionListContract(open)
  consentStoreContract(open)
  suppressionStoreContract(open)
  mailCapStoreContract(open)
  keptMailStoreContract(open)
  outboxStoreContract(open)
  outboxLeasesContract(open)
  auditStoreContract(open)
  signUpCountStoreContract(open)
  spentChallengeStoreContract(open)
  eventStoreContract(open)
  webhookStoreContract(open)
  webhookDeliveryStoreContract(open)
  webhookDeliveryLeasesContract(open)
}

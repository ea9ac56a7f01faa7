import { auditStoreContract } from './audit-store.ts'
import { eventStoreContract } from './event-store.ts'
import { feedStoreContract } from './feed-store.ts'
import { outboxLeasesContract } from './leases.ts'
import { lastAdministratorContract } from './library-users.ts'
import { outboxStoreContract } from './outbox-store.ts'
import {
  mailCapStoreContract,
  signUpCountStoreContract,
  spentChallengeStoreContract,
  suppressionStoreContract,
} from './sign-up-stores.ts'
import type { OpenStorage } from './storage-under-test.ts'
import { subscriptionIdsContract } from './subscription-ids.ts'
import { subscriptionListContract } from './subscription-list.ts'
import { consentStoreContract, keptMailStoreContract, subscriptionStoreContract } from './subscription-store.ts'
import { heldUserStoreContract, tombstoneStoreContract } from './tombstone-store.ts'
import { unitOfWorkContract } from './unit-of-work.ts'
import { userListContract, userStoreContract } from './user-store.ts'
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

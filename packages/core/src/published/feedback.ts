import type { DeliverabilityRecord } from '../feedback/deliverability-store.ts'
import type { WaitingFeedbackRecord } from '../feedback/feedback-store.ts'
import { timestamp } from './timestamp.ts'

/** An address at which mails come back, in its public form: it does not reveal the address. */
export const publishedDeliverability = ({ address, state, since, status }: DeliverabilityRecord) => ({
  address,
  state,
  since: timestamp(since),
  status: status ?? null,
})

export const publishedWaitingFeedback = (waiting: WaitingFeedbackRecord) => ({
  id: waiting.id,
  caller: waiting.caller,
  feeds: waiting.feeds ?? null,
  kind: waiting.kind,
  address: waiting.address,
  subscription: waiting.subscription ?? null,
  permanent: waiting.permanent,
  status: waiting.status ?? null,
  at: timestamp(waiting.at),
  since: timestamp(waiting.since),
})

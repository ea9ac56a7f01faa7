import { sortableCursorOf } from '../page.ts'
import type { Redelivery } from '../webhooks/redeliver-events-use-case.ts'

/** What is sent again. `after` is the `sequence` of the event behind which all are. */
export const redeliveryRecord = ({ webhook, after, retried }: Redelivery) => ({
  webhook,
  after: after === undefined ? null : sortableCursorOf(after),
  retried,
})

import type { UserExport } from '../users/export-user-use-case.ts'
import type { Provisioned } from '../users/provisioned.ts'
import { publishedSession } from './session.ts'
import { deliverabilityOrNull, publishedSubscription, publishedWaiting, waitingRequest } from './subscription.ts'
import { publishedToken } from './token.ts'
import { publishedAuditRecord, publishedUser } from './user.ts'

/** What a directory says of a user, as SCIM names it. */
const provisionedRecord = ({ userName, externalId, ...given }: Provisioned) => ({
  user_name: userName,
  ...(externalId !== undefined && { external_id: externalId }),
  ...(given.formatted !== undefined && { name_formatted: given.formatted }),
  ...(given.familyName !== undefined && { family_name: given.familyName }),
  ...(given.givenName !== undefined && { given_name: given.givenName }),
  ...(given.emailType !== undefined && { email_type: given.emailType }),
  ...(given.emailPrimary !== undefined && { email_primary: given.emailPrimary }),
})

/** Everything stored about a user, as one JSON document, piece by piece: its lists may be long. */
export async function* userExportText(found: UserExport): AsyncGenerator<string> {
  const head = {
    user: publishedUser(found.user),
    ...(found.user.provisioned && { provisioned: provisionedRecord(found.user.provisioned) }),
    subscriptions: found.subscriptions.map(publishedSubscription),
    deliverability: deliverabilityOrNull(found.deliverability),
    waiting_feedback: found.waitingFeedback.map(publishedWaiting),
    waiting_requests: found.waitingRequests.map(waitingRequest),
  }
  yield JSON.stringify(head).slice(0, -1)
  yield* listText('tokens', found.tokens, publishedToken)
  yield* listText('sessions', found.sessions, publishedSession)
  yield* listText('audit', found.audit, publishedAuditRecord)
  yield '}'
}

async function* listText<Item>(
  name: string,
  items: AsyncIterable<Item>,
  record: (item: Item) => object,
): AsyncGenerator<string> {
  yield `,"${name}":[`
  let separator = ''
  for await (const item of items) {
    yield `${separator}${JSON.stringify(record(item))}`
    separator = ','
  }
  yield ']'
}

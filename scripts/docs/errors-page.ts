import { type ErrorName, STATUS } from '../../packages/http-koa/src/error-response.ts'
import { code, GENERATED, table } from './markdown.ts'

/** What it means, and what to do; a missing one does not compile. */
const MEANING: Readonly<Record<ErrorName, string>> = {
  AddressSuppressed:
    'The owner of the address asked for no such mails. Lift the suppression only if the owner asks for it.',
  EmailTaken: 'Another user has this address.',
  ExpectationFailed: 'The request has an `Expect` other than `100-continue`. Leave it out.',
  FeedInUse:
    'The feed is `default`, which always stays, or still has subscriptions. Say that they are to be erased, too.',
  FeedNotFound: 'There is no such feed. Check the name, or create it.',
  FieldInUse: 'Subscriptions have values of this field. Say that they are to be erased, too.',
  HeadersTooLarge: 'The header fields of the request are too large.',
  InsufficientPermissions: 'The token has none of the roles that may do this.',
  InternalError: 'A defect. `request_id` is the id to look for in the log; please report it.',
  InvalidInput: 'Fields are missing, too long or not valid. `details` has a `field` and a `message` for each.',
  KeysNotRotatable: 'The keys come from the environment or from an identity provider. Change them there.',
  LastAdministrator: 'There would be no user with the role `admin` left. Give it to another user first.',
  LogoNotFound: 'The feed has no logo. Put one, or go on without.',
  LinkNotValid: 'The link is not complete, has expired, or was used up. Ask for a new one.',
  MalformedRequest:
    'The request cannot be read, such as JSON that is not complete, or a cursor that did not come from a list.',
  MethodNotAllowed: 'The path does not take this method. `Allow` names those that it takes.',
  NotFound: 'There is no such path.',
  OwnTokensOff: 'An identity provider issues the tokens. Get one there.',
  PayloadTooLarge: 'The body is larger than the operation takes ([limits](limits.md#bodies-and-connections)).',
  PreconditionFailed:
    'The record has changed meanwhile, or is not in the state that you expect. Read it again, then decide.',
  ReceiptNotFound: 'No user of this id was deleted.',
  RequestTimeout: 'The request took too long to arrive. Send it again.',
  SuspensionNotKept: 'A host application keeps the users, and nothing of suspensions with them.',
  SignatureNotValid: 'The report is not signed by the mail provider, or is of a topic that is not listed.',
  SubscriptionEnded: 'The owner has ended the subscription. Only the owner can subscribe again.',
  SubscriptionNotFound: 'There is no such subscription.',
  SuppressionNotFound: 'The address is not suppressed.',
  TooManyRequests: 'A [limit](limits.md). Wait for the seconds in `Retry-After`.',
  TokenNotFound: 'No token of this id is listed. Check the id.',
  Unauthenticated:
    'The token is missing, or not valid, or of a deleted user. `rollcall doctor --token FILE` explains it.',
  Unavailable: 'The storage or the identity provider does not answer. Try again after the seconds in `Retry-After`.',
  UnsupportedMediaType:
    'The type or the encoding of the body is not taken. Send JSON or a form, compressed with gzip or deflate at most.',
  UserSuspended: 'The user is suspended, and its tokens are refused. Resume the user first.',
  UserDeleted: 'The id belonged to a user who was deleted. It never comes back: choose another id.',
  UserNameTaken: 'Another user has this userName. Only a directory that provisions users over SCIM gives one.',
  UserNotFound: 'There is no such user, or the caller may not know.',
  UndeliverableNotFound: 'Nothing is known against this address.',
  WebhookNotFound: 'There is no such webhook.',
}

const INTRODUCTION = `Every error is JSON with two fields. \`error\` never changes: programs decide by it. \`message\` is for people and says what to do.

\`\`\`json
{"error":"InsufficientPermissions","message":"Deleting users requires the 'admin' role."}
\`\`\`

Browsers get a page instead where people may see it. The command line prints the same message; \`--json\` writes both fields to standard error. The [exit codes](command-line.md#exit-codes) are fewer.
`

/** The page of every error, from the table of their statuses. */
export const errorsPage = (): string => {
  const rows = Object.entries(STATUS).map(([name, status]) => [String(status), code(name), MEANING[name as ErrorName]])
  return `# Errors\n\n${GENERATED}\n${INTRODUCTION}\n${table(['status', '`error`', 'meaning'], rows).trimEnd()}\n`
}

import { VISIBLE_ASCII } from '@rollcall/core'
import { parameter } from '../operation/parameters.ts'
import { type Properties, text } from '../operation/schema.ts'
import { resourceName, subscriptionId } from '../operation/words.ts'

/** An id of which the length stands apart. */
const opaqueId = text(undefined, {
  minLength: 1,
  maxLength: 255,
  pattern: VISIBLE_ASCII.source.replace('{1,255}', '+'),
})

export const PATH_PARAMETERS: Properties = {
  token: parameter(
    'The token of the link in the mail.',
    text(undefined, { pattern: '^[0-9a-z.]+$' }),
    '8127340912345678.10123456789abcdef0123456789abcdef',
  ),
  userId: parameter(
    "The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'.",
    opaqueId,
    'jane',
  ),
  subscriptionId: parameter('The id of a subscription.', subscriptionId, 8127340912345678),
  jti: parameter("The id of an access token, its 'jti'.", opaqueId, '4J1nXCvX2JxO3wG0c7kUzA'),
  name: parameter('The name of a feed or a webhook.', resourceName, 'news'),
  address: parameter(
    'The hash in the list, or the address itself.',
    text(undefined, { minLength: 1, maxLength: 254 }),
    '0123456789abcdef0123456789abcdef',
  ),
}

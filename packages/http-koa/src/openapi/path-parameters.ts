import { parameter } from '../operation/parameters.ts'
import { type Properties, text } from '../operation/schema.ts'
import { resourceName, subscriptionId } from '../operation/words.ts'

/** The parameters of paths, by their names in braces. */
export const PATH_PARAMETERS: Properties = {
  token: parameter(
    'The token of the link in the mail.',
    text(undefined, { pattern: '^[0-9a-f.]+$' }),
    '8127340912345678.0123456789abcdef0123456789abcdef',
  ),
  userId: parameter(
    "The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'.",
    text(undefined, { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' }),
    'jane',
  ),
  subscriptionId: parameter('The id of a subscription.', subscriptionId, 8127340912345678),
  jti: parameter(
    "The id of an access token, its 'jti'.",
    text(undefined, { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' }),
    '4J1nXCvX2JxO3wG0c7kUzA',
  ),
  name: parameter('The name of a feed or a webhook.', resourceName, 'news'),
  address: parameter(
    'The hash in the list, or the address itself.',
    text(undefined, { minLength: 1, maxLength: 254 }),
    '0123456789abcdef0123456789abcdef',
  ),
}

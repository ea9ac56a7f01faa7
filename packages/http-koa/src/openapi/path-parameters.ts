import type { Parameter } from './operation.ts'
import * as s from './schema.ts'

/** The parameters of paths, by their names in braces. */
export const PATH_PARAMETERS: Readonly<Record<string, Parameter>> = {
  token: {
    description: 'The token of the link in the mail.',
    schema: { type: 'string', pattern: '^[0-9a-f.]+$' },
    example: '8127340912345678.0123456789abcdef0123456789abcdef',
  },
  userId: {
    description:
      "The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'.",
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    example: 'jane',
  },
  subscriptionId: {
    description: 'The id of a subscription.',
    schema: s.subscriptionId,
    example: 8127340912345678,
  },
  jti: {
    description: "The id of an access token, its 'jti'.",
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    example: '4J1nXCvX2JxO3wG0c7kUzA',
  },
  name: { description: 'The name of a feed or a webhook.', schema: s.resourceName, example: 'news' },
  address: {
    description: 'The hash in the list, or the address itself.',
    schema: { type: 'string', minLength: 1, maxLength: 254 },
    example: '0123456789abcdef0123456789abcdef',
  },
}

import * as core from '@rollcall/core'
import { type GuardedOperation, list, PAGING, type Route } from './operation.ts'
import * as s from './schema.ts'

/** Access tokens that the service itself issued. */
export const TOKEN_OPERATIONS = {
  'GET /tokens': list(
    'listTokens',
    core.ListTokensUseCase,
    'TokenList',
    'Access tokens that were issued here, oldest first, up to 30 days after they expired; never the tokens themselves.',
    { subject: { description: 'Only those of this subject.', schema: s.text(), example: 'mailer' }, ...PAGING },
  ),
  'DELETE /tokens/{jti}': {
    id: 'revokeToken',
    summary:
      'Revoke an access token: when the answer comes, every instance refuses it. It may be one that is not listed, such as one of an identity provider, and one that is revoked already.',
    guarded: core.RevokeTokenUseCase,
    answers: { 204: null },
    errors: ['TokenNotFound'],
  },
} as const satisfies Record<Route, GuardedOperation>

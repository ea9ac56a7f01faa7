import { ListTokensUseCase, publishedToken, RevokeTokenUseCase } from '@rollcall/core'
import { operation, resource } from '../operation/operation.ts'
import { PAGING, parameter } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { DONE, listed } from './record-of.ts'

export const Token = s.named(
  'Token',
  s.record({
    jti: s.text("The token's id, not the token."),
    subject: s.text('The user or the program that it is for.'),
    roles: s.texts(),
    feeds: s.orNull(s.texts('The only feeds that exist for it; null if it is not bound to feeds.', w.resourceName)),
    label: s.text(),
    issued_by: s.text('The id of the caller that issued it.'),
    issued_at: w.time,
    expires_at: w.time,
    last_used_at: w.timeOrNull('To the hour.'),
    revoked_at: w.timeOrNull(),
  }),
)

export const tokens = resource('Tokens', [
  operation('GET /tokens', {
    id: 'listTokens',
    summary:
      'Access tokens that were issued here, oldest first, up to 30 days after they expired; never the tokens themselves.',
    guarded: ListTokensUseCase,
    query: { subject: parameter('Only those of this subject.', s.text(), 'mailer'), ...PAGING },
    answers: { 200: s.named('TokenList', w.listOf(Token)) },
    conditional: 'read',
    handle: async ({ useCases, query, caller }) =>
      listed(await useCases.listTokens.execute(query, caller), publishedToken),
  }),
  operation('DELETE /tokens/{jti}', {
    id: 'revokeToken',
    summary:
      'Revoke an access token: when the answer comes, every instance refuses it. It may be one that is not listed, such as one of an identity provider, and one that is revoked already.',
    guarded: RevokeTokenUseCase,
    answers: { 204: null },
    conditional: 'presence',
    errors: ['TokenNotFound'],
    handle: async ({ useCases, path, caller, precondition }) => {
      await useCases.revokeToken.execute({ tokenId: path.jti, precondition: precondition() }, caller)
      return DONE
    },
  }),
])

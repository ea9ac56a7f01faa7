import { TokenNotFound } from '@rollcall/core'
import { namingRestore } from '../bulk/name-restore.ts'
import { listVerb } from '../listing.ts'
import { collected, duration } from '../options.ts'
import { inPath } from '../service/service.ts'
import { shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'

interface IssueOptions {
  readonly subject: string
  readonly role?: readonly string[]
  readonly feed?: readonly string[]
  readonly label?: string
  readonly ttl?: number
}

const AN_HOUR = 3_600

const issue: Verb = {
  name: 'issue',
  summary: 'Issue an access token',
  details:
    "Prints the token and nothing else; it is kept nowhere. If the subject is a stored user, its stored roles count. A deleted subject is refused; so is, where an identity provider issues the tokens, any role but 'provisioner' alone. A token with the role 'sender' alone can be bound to feeds: no other feed exists for it then.",
  onlyHere: 'Issuing a token',
  examples: [
    'rollcall token issue --subject ops --role admin',
    'TOKEN=$(rollcall token issue --subject ops --role auditor --ttl 15m)',
    "rollcall token issue --subject mailer --role sender --feed weekly --label 'listmonk on web-2' --ttl 365d",
  ],
  define: (command, session) =>
    command
      .requiredOption('--subject <id>', 'id of the user or the program that the token is for')
      .option('--role <role>', 'a role; give the option again for another', collected)
      .option('--feed <name>', 'a feed that it is bound to; give the option again for another', collected)
      .option(
        '--label <text>',
        "for `rollcall token list`, such as where it is used; without a person's name or address",
      )
      .option('--ttl <duration>', 'how long it lives, such as 90s, 15m, 1h or 7d; 400d at most (default: 1h)', duration)
      .action(async ({ role: roles = [], feed: feeds, ttl: lifetime = AN_HOUR, subject, label }: IssueOptions) => {
        const order = { subject, roles, feeds, label, lifetime }
        const { token, tokenId } = await namingRestore(session, subject, (_service, _named, { useCases, caller }) =>
          useCases.issueToken.execute(order, caller),
        )
        await session.answer({ token, token_id: tokenId }, token)
      }),
}

const timeOr = (time: string | null, otherwise: string): string => (time === null ? otherwise : shortInstantText(time))

const list = listVerb({
  summary: 'List the access tokens that were issued here',
  details:
    'Up to 30 days after they expired; never the tokens themselves. Tokens of an identity provider are not listed, ' +
    'but can be revoked by their id (jti). When a token was used last is known to the hour.',
  examples: ['rollcall token list', 'rollcall token list --subject mailer --json'],
  filters: [['--subject <id>', 'only those of this subject']],
  page: (service, { cursor, limit, subject }) => service.ask('listTokens', { cursor, limit, subject }),
  columns: [
    { head: 'JTI', cell: ({ jti }) => jti },
    { head: 'SUBJECT', cell: ({ subject }) => subject },
    { head: 'ROLES', cell: ({ roles }) => roles.join(' ') },
    { head: 'FEEDS', cell: ({ feeds }) => feeds?.join(' ') ?? 'all' },
    { head: 'EXPIRES', cell: ({ expires_at }) => shortInstantText(expires_at) },
    { head: 'USED', cell: ({ last_used_at }) => timeOr(last_used_at, 'not yet') },
    { head: 'REVOKED', cell: ({ revoked_at }) => timeOr(revoked_at, '') },
    { head: 'LABEL', cell: ({ label }) => label },
  ],
  nothing: 'No token is listed.',
})

const revoke: Verb = {
  name: 'revoke',
  summary: 'Refuse an access token from now on',
  details:
    'When the command is done, every instance refuses it. It may be one that is not listed, such as one of an identity provider. To revoke all tokens at once: `rollcall key rotate --revoke`.',
  examples: ['rollcall token revoke 4J1nXCvX2JxO3wG0c7kUzA'],
  define: (command, session) =>
    command.argument('<jti>', "the token's id, as `rollcall token list` shows it").action(async (tokenId: string) => {
      await session.ask('revokeToken', { jti: inPath(TokenNotFound, tokenId) })
      await session.answer({ jti: tokenId, outcome: 'revoked' }, `Revoked the token ${tokenId}.`)
    }),
}

export const verbs: readonly Verb[] = [issue, list, revoke]

import { type Instant, tokenRecord } from '@rollcall/core'
import { namingRestore } from '../deletion/name-restore.ts'
import { listVerb } from '../listing.ts'
import { collected, duration } from '../options.ts'
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
    'Prints the token and nothing else; it is kept nowhere. Where the subject is a stored user, its stored roles ' +
    'count, not those of the token. Refuses a deleted subject, and any where an identity provider issues the tokens. ' +
    "A token with the role 'sender' alone can be bound to feeds: no other feed exists for it then.",
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
        const { token, tokenId } = await namingRestore(session, subject, ({ issueToken }, caller) =>
          issueToken.execute(order, caller),
        )
        await session.answer({ token, token_id: tokenId }, token)
      }),
}

const timeOr = (instant: Instant | undefined, otherwise: string): string =>
  instant === undefined ? otherwise : shortInstantText(instant)

const list = listVerb({
  summary: 'List the access tokens that were issued here',
  details:
    'Up to 30 days after they expired; never the tokens themselves. Tokens of an identity provider are not listed, ' +
    'but can be revoked by their id (jti). When a token was used last is known to the hour.',
  examples: ['rollcall token list', 'rollcall token list --subject mailer --json'],
  filters: [['--subject <id>', 'only those of this subject']],
  page: ({ listTokens }, { cursor, limit, subject }, caller) => listTokens.execute({ cursor, limit, subject }, caller),
  columns: [
    { head: 'JTI', cell: ({ tokenId }) => tokenId },
    { head: 'SUBJECT', cell: ({ subject }) => subject },
    { head: 'ROLES', cell: ({ roles }) => roles.join(' ') },
    { head: 'FEEDS', cell: ({ feeds }) => feeds?.join(' ') ?? 'all' },
    { head: 'EXPIRES', cell: ({ expiresAt }) => shortInstantText(expiresAt) },
    { head: 'USED', cell: ({ lastUsedAt }) => timeOr(lastUsedAt, 'not yet') },
    { head: 'REVOKED', cell: ({ revokedAt }) => timeOr(revokedAt, '') },
    { head: 'LABEL', cell: ({ label }) => label },
  ],
  representation: tokenRecord,
  nothing: 'No token is listed.',
})

const revoke: Verb = {
  name: 'revoke',
  summary: 'Refuse an access token from now on',
  details:
    'When the command is done, every instance refuses it. It may be one that is not listed, such as one of an identity ' +
    'provider. A user with other tokens keeps those. To revoke all tokens at once: `rollcall key rotate --revoke`.',
  examples: ['rollcall token revoke 4J1nXCvX2JxO3wG0c7kUzA'],
  define: (command, session) =>
    command.argument('<jti>', "the token's id, as `rollcall token list` shows it").action(async (tokenId: string) => {
      await session.execute('revokeToken', { tokenId })
      await session.answer({ jti: tokenId, outcome: 'revoked' }, `Revoked the token ${tokenId}.`)
    }),
}

export const verbs: readonly Verb[] = [issue, list, revoke]

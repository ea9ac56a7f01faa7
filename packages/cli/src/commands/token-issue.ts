import { collected, duration } from '../option-values.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly subject: string
  readonly role?: readonly string[]
  readonly ttl?: number
}

const AN_HOUR = 3_600

export const tokenIssue: Verb = {
  name: 'issue',
  summary: 'Issue an access token',
  details:
    'Prints the token and nothing else. Where the subject is a stored user, its stored roles count, not those of ' +
    'the token. Refuses a deleted subject, and any where an identity provider issues the tokens.',
  onlyHere: 'Issuing a token',
  examples: [
    'rollcall token issue --subject ops --role admin',
    'TOKEN=$(rollcall token issue --subject ops --role auditor --ttl 15m)',
  ],
  define: (command, session) => {
    command
      .requiredOption('--subject <id>', 'id of the user or the program that the token is for')
      .option('--role <role>', 'a role; give the option again for another', collected)
      .option('--ttl <duration>', 'how long it lives, such as 90s, 15m, 1h or 7d (default: 1h)', duration)
      .action(async ({ subject, role: roles = [], ttl: lifetime = AN_HOUR }: Options) => {
        const { token, tokenId } = await session.withUseCases(({ issueToken }, caller) =>
          issueToken.execute({ subject, roles, lifetime }, caller),
        )
        await session.answer({ token, token_id: tokenId }, token)
      })
  },
}

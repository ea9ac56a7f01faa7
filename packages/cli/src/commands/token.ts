import { collected, duration } from '../options.ts'
import type { Verb } from '../verb.ts'

interface IssueOptions {
  readonly subject: string
  readonly role?: readonly string[]
  readonly ttl?: number
}

const AN_HOUR = 3_600

const issue: Verb = {
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
  define: (command, session) =>
    command
      .requiredOption('--subject <id>', 'id of the user or the program that the token is for')
      .option('--role <role>', 'a role; give the option again for another', collected)
      .option('--ttl <duration>', 'how long it lives, such as 90s, 15m, 1h or 7d; 400d at most (default: 1h)', duration)
      .action(async ({ subject, role: roles = [], ttl: lifetime = AN_HOUR }: IssueOptions) => {
        const { token, tokenId } = await session.execute('issueToken', { subject, roles, lifetime })
        await session.answer({ token, token_id: tokenId }, token)
      }),
}

export const verbs: readonly Verb[] = [issue]

import { type Caller, SENDER } from '../access/caller.ts'
import { identifies } from '../audit/reason.ts'
import { FeedNotFound, InvalidInput, UserDeleted, UserSuspended } from '../errors.ts'
import { type FeedName, parseFeedName } from '../feeds/feed.ts'
import { type Instant, SECOND } from '../instant.ts'
import { readAll } from '../read-all.ts'
import { parseText } from '../text.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { identityOf, parseUserId, type User } from '../users/user.ts'
import { type IssuedToken, LONGEST_TOKEN_LIFETIME } from './access-token-ports.ts'

export interface IssueTokenCommand {
  readonly subject: string
  readonly roles: readonly string[]
  /** Seconds, from 1 to 400 days. */
  readonly lifetime: number
  /** The only feeds that are to exist for the token; with the role `sender` alone. Not bound if left out. */
  readonly feeds?: readonly string[] | undefined
  /** For the list of tokens, such as where it is used; must not contain the user's name or address. */
  readonly label?: string | undefined
}

const LONGEST_LABEL = 100
/** So that a token with all of them stays shorter than verifiers read. */
const MOST_FEEDS = 20

export class IssueTokenUseCase extends UseCase<'access' | 'clock' | 'issuer' | 'unitOfWork' | 'trail'> {
  static readonly permission = 'tokens:issue'
  static readonly action = 'token.issue'

  /**
   * Issues one access token, and lists it; the list and the trail have its id, never the token.
   * @throws {InvalidInput} the subject is not a user id, a role is unknown, the lifetime is out of range,
   *   the label names the user, or feeds are given if the token would not be bound to them
   * @throws {FeedNotFound} one of the feeds does not exist
   * @throws {UserDeleted} the subject was deleted: its tokens are refused for ever
   * @throws {UserSuspended} the subject is suspended
   * @throws {OwnTokensOff} an identity provider issues the tokens
   */
  async execute(command: IssueTokenCommand, caller: Caller): Promise<IssuedToken> {
    const attempt = await this.ports.access.require(caller, IssueTokenUseCase, command.subject)
    const { subject, roles, lifetime, feeds, label } = readAll({
      subject: () => parseUserId(command.subject, 'subject'),
      roles: () => this.ports.access.table.parseRoles(command.roles),
      lifetime: () => parseLifetime(command.lifetime),
      feeds: () => parseFeeds(command),
      label: () => parseText('label', command.label ?? '', LONGEST_LABEL),
    })
    // The token is given out only once this is stored.
    return await this.ports.unitOfWork.run(async (stores) => {
      const status = await stores.users.accountStatus(subject)
      if (status === 'deleted') throw new UserDeleted()
      if (status === 'suspended') throw new UserSuspended()
      const user = await stores.users.find(subject)
      requireAnonymous(label, user)
      const after = user?.tokensNotBefore ?? 0
      const issued = await this.ports.issuer.issue({ subject, roles, feeds, lifetime, after })
      const { tokenId } = issued
      const issuedAt = Math.max(wholeSecond(this.ports.clock.now()), wholeSecond(after) + SECOND)
      if (feeds !== undefined) await requireBinding(stores, user, feeds)
      await stores.accessTokens.add({
        tokenId,
        subject,
        roles,
        feeds,
        label,
        issuedBy: caller.id,
        issuedAt,
        expiresAt: issuedAt + lifetime * SECOND,
        lastUsedAt: undefined,
        revokedAt: undefined,
      })
      const binding = feeds === undefined ? '' : ` for ${feeds.length === 1 ? 'feed' : 'feeds'} ${feeds.join(', ')}`
      await this.ports.trail.done(stores.audit, caller, attempt, `token ${tokenId}${binding}`)
      return issued
    })
  }
}

const wholeSecond = (at: Instant): Instant => Math.floor(at / SECOND) * SECOND

const parseLifetime = (lifetime: number): number => {
  if (Number.isInteger(lifetime) && lifetime >= 1 && lifetime <= LONGEST_TOKEN_LIFETIME) return lifetime
  throw new InvalidInput([{ field: 'ttl', message: 'Give a lifetime from 1s to 400d.' }])
}

const parseFeeds = ({ feeds, roles }: IssueTokenCommand): readonly FeedName[] | undefined => {
  if (feeds === undefined) return undefined
  const problem = (message: string) => new InvalidInput([{ field: 'feed', message }])
  if (!(roles.length > 0 && roles.every((role) => role === SENDER)))
    throw problem(`Only a token with the role '${SENDER}' and no other is bound to feeds.`)
  const names = [...new Set(feeds.map((name) => parseFeedName(name, 'feed')))].sort()
  if (names.length < 1 || names.length > MOST_FEEDS) throw problem(`Name 1 to ${MOST_FEEDS} feeds.`)
  return names
}

const requireAnonymous = (label: string, user: User | undefined): void => {
  if (user === undefined || !identifies(label, identityOf(user))) return
  const message = "Leave out the user's name and e-mail address: administrators and exports show the label."
  throw new InvalidInput([{ field: 'label', message }])
}

// The database wins: the roles of a stored user would count, whatever the token says.
const requireBinding = async ({ feeds }: Stores, user: User | undefined, names: readonly FeedName[]) => {
  if (user?.roles.some((role) => role !== SENDER))
    throw new InvalidInput([
      { field: 'subject', message: 'This user has other roles, which count for its tokens. Use a subject of its own.' },
    ])
  for (const name of names) if ((await feeds.find(name)) === undefined) throw new FeedNotFound(name)
}

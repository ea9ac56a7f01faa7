import type { Instant } from '../instant.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'

/** Names the feeds of one form that asked for several; random, in hexadecimal. */
export type SignUpGroup = string

/** One feed of a form that asked for several. */
export interface SignUpGroupMember {
  readonly id: SubscriptionId
  /** The episode that the link of the group is good for; undefined if there was nothing left to confirm. */
  readonly episode: string | undefined
}

export interface SignUpGroupReader {
  /** In the order of the form, without those whose subscription is erased; without groups that have none. */
  membersOf(groups: readonly SignUpGroup[]): Promise<ReadonlyMap<SignUpGroup, readonly SignUpGroupMember[]>>
}

export const membersOf = async (
  groups: Pick<SignUpGroupReader, 'membersOf'>,
  group: SignUpGroup,
): Promise<readonly SignUpGroupMember[]> => (await groups.membersOf([group])).get(group) ?? []

/** What the link in a mail about several feeds stands for. A member goes with its subscription. */
export interface SignUpGroupStore extends SignUpGroupReader {
  /** A new group, of subscriptions that are stored. */
  add(group: SignUpGroup, members: readonly SignUpGroupMember[], expiresAt: Instant): Promise<void>
  /** Forgets up to `limit` members of groups whose `expiresAt` is before `before`; says how many. */
  prune(before: Instant, limit: number): Promise<number>
}

import type { Client } from './client.ts'
import type { PersonState } from './model.ts'

/** A subscription as the service shows it. */
export interface SubscriptionSeen {
  readonly id: number
  readonly feed: string
  readonly email: string
  readonly name: string
  readonly status: string
  /** Only in an export. */
  readonly consent?: readonly { readonly deed: string }[]
}

interface UserSeen {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly suspended_at?: string
}

/** What the service shows of some persons, or of all, at one moment. */
export interface Look {
  readonly subscriptions: readonly SubscriptionSeen[]
  readonly users: ReadonlyMap<string, UserSeen | 'deleted'>
  /** Addresses. */
  readonly undeliverable: ReadonlySet<string>
}

interface Looked {
  readonly email: string
  readonly newEmail: string
  readonly userId: string
}

const AT_ONCE = 16
const PAGE = 200
const MOST_ADDRESSES = 1_000

/** Looks at these persons, one by one. */
export const lookAt = async (client: Client, persons: readonly Looked[]): Promise<Look> => {
  const subscriptions: SubscriptionSeen[] = []
  const users = new Map<string, UserSeen | 'deleted'>()
  await each(persons, async ({ email, newEmail, userId }) => {
    for (const address of [email, newEmail])
      subscriptions.push(
        ...(await list<SubscriptionSeen>(client, `/subscriptions?email=${encodeURIComponent(address)}`)),
      )
    const user = await userAt(client, userId)
    if (user !== 'none') users.set(userId, user)
  })
  return { subscriptions, users, undeliverable: await undeliverableOf(client, persons) }
}

/** Looks at everything; of users that are not listed only at these persons: whether they were deleted. */
export const lookAtAll = async (client: Client, persons: readonly Looked[]): Promise<Look> => {
  const listed = await list<UserSeen>(client, '/users')
  const users = new Map<string, UserSeen | 'deleted'>(listed.map((user) => [user.id, user]))
  await each(
    persons.filter(({ userId }) => !users.has(userId)),
    async ({ userId }) => {
      const user = await userAt(client, userId)
      if (user !== 'none') users.set(userId, user)
    },
  )
  const { body } = await client.demand('GET /subscriptions/export')
  const lines = body.split('\n').filter((line) => line !== '')
  const subscriptions = lines.map((line): SubscriptionSeen => JSON.parse(line))
  return { subscriptions, users, undeliverable: await undeliverableOf(client, persons) }
}

/** All pages of a list. */
export const list = async <Item>(client: Client, path: string, parameter = 'cursor', from = ''): Promise<Item[]> => {
  const items: Item[] = []
  const start = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}`
  for (let cursor: string | null = from; cursor !== null; ) {
    const { body } = await client.demand(`GET ${cursor === '' ? start : `${start}&${parameter}=${cursor}`}`)
    const page: { readonly items: readonly Item[]; readonly next: string | null } = JSON.parse(body)
    items.push(...page.items)
    // Lists of what happens go on for ever.
    cursor = page.items.length < PAGE ? null : page.next
  }
  return items
}

const userAt = async (client: Client, id: string): Promise<UserSeen | 'deleted' | 'none'> => {
  const { status, body } = await client.demand(`GET /users/${id}`, undefined, [200, 404, 410])
  return status === 404 ? 'none' : status === 410 ? 'deleted' : JSON.parse(body)
}

const undeliverableOf = async (client: Client, persons: readonly Looked[]): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  for (let n = 0; n < persons.length; n += MOST_ADDRESSES) {
    const addresses = persons.slice(n, n + MOST_ADDRESSES).map(({ email }) => email)
    const { body } = await client.demand('POST /suppressions/check', { addresses })
    const { reasons }: { readonly reasons: readonly { address: string; because: string }[] } = JSON.parse(body)
    for (const { address, because } of reasons) if (because === 'undeliverable') found.add(address)
  }
  return found
}

const each = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

export const userStateOf = (user: UserSeen | 'deleted' | undefined): PersonState['user'] =>
  user === undefined
    ? 'none'
    : user === 'deleted'
      ? user
      : { name: user.name, suspended: user.suspended_at !== undefined }

/** `whole`: a number without a fraction; `flag`: true or false, 1 or 0 in SQLite. */
export type ColumnKind = 'text' | 'whole' | 'flag'

/** A table as both databases have it. */
export interface MovedTable {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnKind>>
  /** The columns, first among all, that tell its rows apart and that they are ordered by. */
  readonly key: number
  /** Its first column gives out numbers of which none comes twice, not even that of a row that is gone. */
  readonly counted?: true
  /** Rows of one database alone, by what they begin with. */
  readonly except?: readonly string[]
}

const table = (name: string, key: number, columns: MovedTable['columns'], more: Partial<MovedTable> = {}) =>
  ({ name, key, columns, ...more }) satisfies MovedTable

const COUNTED = { counted: true } as const

/** What the database remembers while a move into it is under way. */
export const MOVE_UNDER_WAY = 'move-under-way'

/** Every table with what must not be lost; what hangs on a row comes after it. */
export const MOVED_TABLES: readonly MovedTable[] = [
  table(
    'feed',
    1,
    {
      seq: 'whole',
      name: 'text',
      title: 'text',
      description: 'text',
      language: 'text',
      sender_name: 'text',
      sender_address: 'text',
      wordings: 'text',
      return_urls: 'text',
      confirmed_url: 'text',
      open: 'flag',
      deleting_since: 'whole',
      created_at: 'whole',
      updated_at: 'whole',
    },
    COUNTED,
  ),
  table(
    'subscription',
    1,
    {
      seq: 'whole',
      id: 'whole',
      feed: 'text',
      email: 'text',
      address_key: 'text',
      name: 'text',
      locale: 'text',
      status: 'text',
      episode: 'text',
      created_at: 'whole',
      confirmed_at: 'whole',
      ended_at: 'whole',
      expires_at: 'whole',
      last_mail: 'whole',
    },
    COUNTED,
  ),
  table('displaced_subscription_id', 1, { fingerprint: 'text', id: 'whole' }),
  table('consent', 2, {
    subscription: 'whole',
    n: 'whole',
    at: 'whole',
    deed: 'text',
    via: 'text',
    client_address: 'text',
    user_agent: 'text',
    wording: 'text',
    language: 'text',
    count: 'whole',
  }),
  table('kept_mail', 2, { subscription: 'whole', message_id: 'text' }),
  table('suppression', 1, { seq: 'whole', address: 'text', cause: 'text', since: 'whole' }, COUNTED),
  table('spent_challenge', 1, { id: 'text', expires_at: 'whole' }),
  table('event', 1, { position: 'whole', type: 'text', subject: 'text', at: 'whole' }),
  table('sign_up_count', 1, { outcome: 'text', count: 'whole' }),
  table(
    'outbox',
    1,
    {
      id: 'whole',
      kind: 'text',
      subscription_id: 'whole',
      address: 'text',
      message_id: 'text',
      created_at: 'whole',
      not_before: 'whole',
      expires_at: 'whole',
      attempts: 'whole',
      last_error: 'text',
      parked_at: 'whole',
      owner: 'text',
      leased_until: 'whole',
    },
    COUNTED,
  ),
  table(
    'webhook',
    1,
    {
      seq: 'whole',
      name: 'text',
      url: 'text',
      types: 'text',
      secret: 'text',
      previous_secret: 'text',
      previous_until: 'whole',
      disabled_because: 'text',
      disabled_since: 'whole',
      created_at: 'whole',
      updated_at: 'whole',
      cursor: 'whole',
      failures: 'whole',
      failing_since: 'whole',
      paused_until: 'whole',
    },
    COUNTED,
  ),
  table(
    'webhook_delivery',
    1,
    {
      id: 'whole',
      webhook: 'text',
      position: 'whole',
      type: 'text',
      subject: 'text',
      at: 'whole',
      created_at: 'whole',
      not_before: 'whole',
      attempts: 'whole',
      last_error: 'text',
      parked_at: 'whole',
      owner: 'text',
      leased_until: 'whole',
    },
    COUNTED,
  ),
  table('mail_cap', 1, { address: 'text', last_at: 'whole', slots: 'text' }),
  table(
    'user_account',
    1,
    {
      seq: 'whole',
      id: 'text',
      email: 'text',
      email_key: 'text',
      name: 'text',
      roles: 'text',
      search: 'text',
      created_at: 'whole',
      updated_at: 'whole',
      tokens_not_before: 'whole',
    },
    COUNTED,
  ),
  table('user_role', 2, { role: 'text', user_seq: 'whole' }),
  table('tombstone', 1, {
    id: 'text',
    deleted_at: 'whole',
    audit: 'whole',
    erases_at: 'whole',
    users: 'whole',
    roles: 'whole',
    subscriptions: 'whole',
    mails: 'whole',
    subscriptions_kept: 'whole',
  }),
  table('held_user', 1, {
    id: 'text',
    record: 'text',
    deleted_at: 'whole',
    erases_at: 'whole',
    subscriptions: 'text',
  }),
  // In turn, as the triggers of both databases will have them.
  table('audit_record', 1, {
    sequence: 'whole',
    at: 'whole',
    actor: 'text',
    role_source: 'text',
    token_id: 'text',
    channel: 'text',
    request_id: 'text',
    action: 'text',
    target: 'text',
    outcome: 'text',
    reason: 'text',
    count: 'whole',
    hash: 'text',
  }),
  table('audit_checkpoint', 1, { sequence: 'whole', hash: 'text', at: 'whole', seal: 'text' }),
  // A database of one instance does not follow the rotations of its signing keys, so what another knew of them is old.
  table('instance', 1, { name: 'text', value: 'text' }, { except: [MOVE_UNDER_WAY, 'signing-keys'] }),
]

/** Tables that each database keeps for itself: nothing in them is worth a move. */
export const UNMOVED_TABLES: readonly string[] = ['erasure', 'kysely_migration', 'kysely_migration_lock', 'rate_limit']

export const columnsOf = ({ columns }: MovedTable): string[] => Object.keys(columns)

/** The columns that tell its rows apart. */
export const keyOf = (table: MovedTable): string[] => columnsOf(table).slice(0, table.key)

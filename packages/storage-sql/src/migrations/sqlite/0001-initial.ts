/** Of an audit record, all that is there before it has its number. */
const BUT_NUMBER = [
  'id',
  'at',
  'actor',
  'role_source',
  'token_id',
  'channel',
  'request_id',
  'action',
  'target',
  'outcome',
  'reason',
  'count',
  'roles_hash',
]

/** What rows are found by, as their column `terms` has it: written, changed and removed with the row, by whatever statement. */
const findable = (table: string): string[] => [
  `CREATE TABLE ${table}_term (
    term TEXT NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (term, place)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TRIGGER ${table}_terms_added AFTER INSERT ON ${table} BEGIN
    INSERT INTO ${table}_term (term, place) SELECT value, NEW.seq FROM json_each(NEW.terms); END`,
  `CREATE TRIGGER ${table}_terms_changed AFTER UPDATE OF terms ON ${table} WHEN NEW.terms <> OLD.terms BEGIN
    DELETE FROM ${table}_term WHERE place = OLD.seq AND term IN (SELECT value FROM json_each(OLD.terms));
    INSERT INTO ${table}_term (term, place) SELECT value, NEW.seq FROM json_each(NEW.terms); END`,
  `CREATE TRIGGER ${table}_terms_removed AFTER DELETE ON ${table} BEGIN
    DELETE FROM ${table}_term WHERE place = OLD.seq AND term IN (SELECT value FROM json_each(OLD.terms)); END`,
]

/**
 * Whatever changes subscriptions adds what it changes to their numbers. What is moved here from another database brings its
 * numbers with it.
 */
const counting = (name: string, on: string, differs: string, changes: readonly string[]): string =>
  `CREATE TRIGGER ${name} AFTER ${on} ON subscription
    WHEN ${differs} AND NOT EXISTS (SELECT 1 FROM instance WHERE name = 'move-under-way')
    BEGIN INSERT INTO number_delta (feed, day, what, count) VALUES ${changes.join(', ')}; END`

const ADDED = '(NEW.feed, -1, NEW.status, 1)'
const GONE = '(OLD.feed, -1, OLD.status, -1)'

const SUBSCRIPTIONS_COUNTED: readonly string[] = [
  counting('subscription_added', 'INSERT', 'TRUE', [ADDED]),
  counting('subscription_changed', 'UPDATE OF feed, status', '(NEW.feed, NEW.status) IS NOT (OLD.feed, OLD.status)', [
    GONE,
    ADDED,
  ]),
  counting('subscription_gone', 'DELETE', 'TRUE', [GONE]),
]

/**
 * The first schema. Rows append: `seq` is a row's place in its list and is never used again. Ids of subscriptions are
 * hashes, so theirs is the only index with random order that a sign-up touches.
 */
export const INITIAL: readonly string[] = [
  `CREATE TABLE feed (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    wordings TEXT NOT NULL,
    return_urls TEXT NOT NULL,
    open INTEGER NOT NULL,
    deleting_since INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    settings TEXT
  ) STRICT`,
  // Apart, so that no list of feeds reads it.
  `CREATE TABLE feed_logo (
    feed TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT`,

  `CREATE TABLE subscription (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id INTEGER NOT NULL UNIQUE,
    feed TEXT NOT NULL,
    email TEXT NOT NULL,
    address_key TEXT NOT NULL,
    address TEXT NOT NULL,
    name TEXT NOT NULL,
    terms TEXT NOT NULL,
    locale TEXT,
    status TEXT NOT NULL CHECK (status IN ('p', 'c', 'e')),
    episode TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    confirmed_at INTEGER,
    ended_at INTEGER,
    expires_at INTEGER,
    last_mail INTEGER,
    preferences_mail INTEGER,
    fields TEXT
  ) STRICT`,
  `CREATE INDEX subscription_expiry ON subscription (expires_at) WHERE status = 'p'`,
  // What lists are read by: a new row comes after all others of its feed and status, and after all others that wait.
  'CREATE INDEX subscription_list ON subscription (feed, status)',
  'CREATE INDEX subscription_status ON subscription (status)',
  'CREATE INDEX subscription_address ON subscription (address)',
  ...findable('subscription'),
  `CREATE TABLE displaced_subscription_id (
    fingerprint TEXT PRIMARY KEY,
    id INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE consent (
    subscription INTEGER NOT NULL REFERENCES subscription (seq) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    deed TEXT NOT NULL,
    via TEXT NOT NULL,
    client_address TEXT,
    user_agent TEXT,
    wording TEXT NOT NULL,
    language TEXT,
    count INTEGER NOT NULL,
    PRIMARY KEY (subscription, n)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE kept_mail (
    subscription INTEGER NOT NULL REFERENCES subscription (seq) ON DELETE CASCADE,
    message_id TEXT NOT NULL,
    PRIMARY KEY (subscription, message_id)
  ) STRICT, WITHOUT ROWID`,
  // What must stay the same for as long as there is the database, such as a fingerprint of the secret.
  'CREATE TABLE instance (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
  // How often something was erased, and how often it had been when the file was last cleaned.
  'CREATE TABLE erasure (count INTEGER NOT NULL, cleaned INTEGER NOT NULL) STRICT',
  'INSERT INTO erasure (count, cleaned) VALUES (0, 0)',
  `CREATE TABLE suppression (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL UNIQUE,
    cause TEXT NOT NULL,
    since INTEGER NOT NULL,
    block TEXT,
    block_since INTEGER
  ) STRICT`,
  `CREATE TABLE spent_challenge (
    id TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX spent_challenge_age ON spent_challenge (expires_at)',
  // What changes add to the numbers, until the sealer folds it. Of no day (-1): how many subscriptions of a status there are.
  `CREATE TABLE number_delta (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    feed TEXT NOT NULL,
    day INTEGER NOT NULL,
    what TEXT NOT NULL,
    count INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE kept_number (
    feed TEXT NOT NULL,
    day INTEGER NOT NULL,
    what TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (feed, day, what)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX kept_number_now ON kept_number (feed) WHERE day = -1',
  ...SUBSCRIPTIONS_COUNTED,
  // The newest row is never removed, so that no position comes twice.
  // An event gets its position from the sealer, once it is committed. The newest is never removed, so that none comes twice.
  `CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER UNIQUE,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    feed TEXT,
    trace_context TEXT
  ) STRICT`,

  // What the public has asked for and is not carried out yet, in the order in which it came.
  `CREATE TABLE sign_up_request (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    address TEXT,
    kind TEXT NOT NULL,
    asked TEXT NOT NULL,
    parked_at INTEGER,
    error TEXT,
    trace_context TEXT
  ) STRICT`,
  'CREATE INDEX sign_up_request_address ON sign_up_request (address) WHERE address IS NOT NULL',
  'CREATE INDEX sign_up_request_parked ON sign_up_request (address, id) WHERE parked_at IS NOT NULL',
  `CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    subscription_id INTEGER NOT NULL,
    address TEXT NOT NULL,
    message_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    not_before INTEGER NOT NULL,
    expires_at INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    parked_at INTEGER,
    owner TEXT,
    leased_until INTEGER NOT NULL DEFAULT 0,
    sign_up_group TEXT,
    trace_context TEXT
  ) STRICT`,
  'CREATE INDEX outbox_due ON outbox (not_before) WHERE parked_at IS NULL',
  'CREATE INDEX outbox_parked ON outbox (id) WHERE parked_at IS NOT NULL',
  'CREATE INDEX outbox_leased ON outbox (owner) WHERE owner IS NOT NULL',
  // Where events are sent; `cursor` is the last event queued for the target, and what follows is its delivery state.
  `CREATE TABLE webhook (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    types TEXT NOT NULL,
    secret TEXT NOT NULL,
    previous_secrets TEXT NOT NULL DEFAULT '[]',
    disabled_because TEXT,
    disabled_since INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    cursor INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER,
    paused_until INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  `CREATE TABLE webhook_delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook TEXT NOT NULL REFERENCES webhook (name) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    not_before INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    parked_at INTEGER,
    owner TEXT,
    leased_until INTEGER NOT NULL DEFAULT 0,
    feed TEXT,
    trace_context TEXT,
    UNIQUE (webhook, position)
  ) STRICT`,
  'CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook, not_before) WHERE parked_at IS NULL',
  'CREATE INDEX webhook_delivery_subject ON webhook_delivery (webhook, subject, position) WHERE parked_at IS NULL',
  'CREATE INDEX webhook_delivery_parked ON webhook_delivery (id) WHERE parked_at IS NOT NULL',
  'CREATE INDEX webhook_delivery_leased ON webhook_delivery (owner) WHERE owner IS NOT NULL',
  // What targets said to the last tries.
  `CREATE TABLE webhook_answer (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook TEXT NOT NULL REFERENCES webhook (name) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    position INTEGER NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status INTEGER,
    error TEXT,
    head TEXT
  ) STRICT`,
  'CREATE INDEX webhook_answer_target ON webhook_answer (webhook, id)',
  `CREATE TABLE mail_cap (
    address TEXT PRIMARY KEY,
    last_at INTEGER NOT NULL,
    slots TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX mail_cap_age ON mail_cap (last_at)',

  `CREATE TABLE user_account (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    roles TEXT NOT NULL,
    terms TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    tokens_not_before INTEGER,
    suspended_at INTEGER,
    last_seen_at INTEGER,
    provisioned TEXT,
    user_name_key TEXT UNIQUE,
    external_id TEXT
  ) STRICT`,
  'CREATE INDEX user_account_external_id ON user_account (external_id) WHERE external_id IS NOT NULL',
  ...findable('user_account'),
  // By role, to find the users that have one. Which roles a user has is in its own row, so nothing is looked for by user.
  `CREATE TABLE user_role (
    role TEXT NOT NULL,
    user_seq INTEGER NOT NULL,
    PRIMARY KEY (role, user_seq)
  ) STRICT, WITHOUT ROWID`,
  // One row for each id that a user ever had, and nothing of the person: it alone decides whether the id is taken. From
  // `deleted_at` on it is a tombstone, which is NULL as long as the user is there.
  `CREATE TABLE identity (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL DEFAULT 1,
    deleted_at INTEGER,
    audit INTEGER,
    erases_at INTEGER,
    users INTEGER,
    roles INTEGER,
    subscriptions INTEGER,
    mails INTEGER,
    subscriptions_kept INTEGER,
    tokens INTEGER
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX identity_deleted ON identity (id) WHERE deleted_at IS NOT NULL',
  `CREATE TABLE held_user (
    id TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    erases_at INTEGER NOT NULL,
    subscriptions TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX held_user_due ON held_user (erases_at)',

  // A record gets its number from the sealer, once it is committed; nothing else of it ever changes.
  `CREATE TABLE audit_record (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sequence INTEGER UNIQUE,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    role_source TEXT NOT NULL,
    token_id TEXT,
    channel TEXT NOT NULL,
    request_id TEXT,
    action TEXT NOT NULL,
    target TEXT,
    outcome TEXT NOT NULL,
    reason TEXT,
    count INTEGER NOT NULL,
    roles_hash TEXT
  ) STRICT`,
  `CREATE TABLE audit_seal (
    last INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    hash TEXT NOT NULL,
    at INTEGER NOT NULL,
    mac TEXT NOT NULL
  ) STRICT`,
  // ABORT undoes the statement alone; ROLLBACK would undo what others share the transaction with.
  `CREATE TRIGGER audit_seal_in_turn BEFORE INSERT ON audit_seal
    WHEN NEW.last < NEW.first OR NEW.first IS NOT (SELECT coalesce(max(last), 0) + 1 FROM audit_seal)
    BEGIN SELECT RAISE(ABORT, 'this audit seal does not follow the last one'); END`,
  `CREATE TRIGGER audit_seal_unchanged BEFORE UPDATE ON audit_seal
    BEGIN SELECT RAISE(ABORT, 'audit seals never change'); END`,
  `CREATE TRIGGER audit_seal_kept BEFORE DELETE ON audit_seal
    BEGIN SELECT RAISE(ABORT, 'audit seals are never removed'); END`,
  // What REPLACE puts in the place of another row removes that without a trigger.
  `CREATE TRIGGER audit_record_new BEFORE INSERT ON audit_record
    WHEN EXISTS (SELECT 1 FROM audit_record WHERE id = NEW.id)
      OR EXISTS (SELECT 1 FROM audit_record WHERE sequence = NEW.sequence)
    BEGIN SELECT RAISE(ABORT, 'this audit record is there already'); END`,
  `CREATE TRIGGER audit_record_unchanged BEFORE UPDATE ON audit_record
    WHEN OLD.sequence IS NOT NULL OR NEW.sequence IS NULL
      OR (${BUT_NUMBER.map((name) => `OLD.${name}`).join(', ')}) IS NOT
        (${BUT_NUMBER.map((name) => `NEW.${name}`).join(', ')})
      OR EXISTS (SELECT 1 FROM audit_record WHERE sequence = NEW.sequence)
    BEGIN SELECT RAISE(ABORT, 'audit records never change'); END`,
  `CREATE TRIGGER audit_record_kept BEFORE DELETE ON audit_record
    BEGIN SELECT RAISE(ABORT, 'audit records are never removed'); END`,

  'CREATE INDEX suppression_block ON suppression (address) WHERE block IS NOT NULL',
  `CREATE TABLE access_token (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    jti TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    roles TEXT NOT NULL,
    feeds TEXT,
    label TEXT NOT NULL,
    issued_by TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER
  ) STRICT`,
  'CREATE INDEX access_token_subject ON access_token (subject)',
  'CREATE INDEX access_token_expiry ON access_token (expires_at)',
  `CREATE TABLE revoked_token (
    jti TEXT PRIMARY KEY,
    revoked_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX revoked_token_expiry ON revoked_token (expires_at)',
  'CREATE INDEX user_account_suspended ON user_account (seq) WHERE suspended_at IS NOT NULL',
  // By the day on which it was last seen, or else created, and the place among those of the day: as core counts them.
  'CREATE INDEX user_account_inactive ON user_account ((coalesce(last_seen_at, created_at) / 86400000 * 137438953472 + seq))',
  `CREATE TABLE deliverability (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    since INTEGER NOT NULL,
    status TEXT,
    days TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX deliverability_state ON deliverability (state, seq)',
  'CREATE INDEX deliverability_age ON deliverability (expires_at)',
  `CREATE TABLE feedback_seen (
    id TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX feedback_seen_age ON feedback_seen (expires_at)',
  `CREATE TABLE feedback_count (
    day INTEGER NOT NULL,
    caller TEXT NOT NULL,
    addresses INTEGER NOT NULL,
    PRIMARY KEY (day, caller)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE waiting_feedback (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    caller TEXT NOT NULL,
    channel TEXT NOT NULL,
    feeds TEXT,
    kind TEXT NOT NULL,
    address TEXT NOT NULL,
    mailbox TEXT NOT NULL,
    subscription INTEGER,
    permanent INTEGER NOT NULL,
    status TEXT,
    at INTEGER NOT NULL,
    since INTEGER NOT NULL
  ) STRICT`,
  'CREATE UNIQUE INDEX waiting_feedback_address ON waiting_feedback (address, caller, kind)',
  'CREATE INDEX waiting_feedback_age ON waiting_feedback (since)',
  `CREATE TABLE sign_up_group (
    name TEXT NOT NULL,
    n INTEGER NOT NULL,
    subscription INTEGER NOT NULL REFERENCES subscription (seq) ON DELETE CASCADE,
    episode TEXT,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (name, n)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX sign_up_group_subscription ON sign_up_group (subscription)',
  'CREATE INDEX sign_up_group_age ON sign_up_group (expires_at)',
  `CREATE TABLE address_move (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    new_address TEXT NOT NULL,
    email TEXT,
    address_key TEXT,
    episode TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    moved_at INTEGER,
    undone_at INTEGER,
    expires_at INTEGER NOT NULL,
    mail INTEGER
  ) STRICT`,
  'CREATE INDEX address_move_new ON address_move (new_address)',
  'CREATE INDEX address_move_age ON address_move (expires_at)',
  `CREATE TABLE moved_subscription (
    old_id INTEGER PRIMARY KEY,
    new_id INTEGER NOT NULL,
    episode TEXT NOT NULL,
    new_episode TEXT,
    move INTEGER
  ) STRICT`,
  'CREATE INDEX moved_subscription_new ON moved_subscription (new_id)',
  'CREATE INDEX moved_subscription_move ON moved_subscription (move) WHERE move IS NOT NULL',
  `CREATE TABLE console_session (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    secret_hash TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    role_source TEXT NOT NULL,
    roles TEXT NOT NULL,
    token_id TEXT,
    issued_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    door TEXT NOT NULL,
    feeds TEXT
  ) STRICT`,
  `CREATE TABLE login_link (
    secret_hash TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    door TEXT NOT NULL,
    issued_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE deletion_run (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE deletion_run_part (
    run TEXT NOT NULL REFERENCES deletion_run (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (run, part)
  ) STRICT`,
  `CREATE TABLE reminder (
    subscription INTEGER PRIMARY KEY REFERENCES subscription (seq) ON DELETE CASCADE,
    episode TEXT NOT NULL,
    remind_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    sign_up_group TEXT
  ) STRICT`,
  'CREATE INDEX reminder_due ON reminder (remind_at)',
  `CREATE TABLE monthly_mail (
    mailbox TEXT NOT NULL,
    mail TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (mailbox, mail)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX monthly_mail_age ON monthly_mail (at)',

  `INSERT INTO feed (name, title, description, wordings, return_urls, open, created_at, updated_at)
    VALUES ('default', 'default', '', '[]', '[]', 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER))`,
]

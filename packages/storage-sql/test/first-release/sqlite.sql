CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
CREATE TABLE feed (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    language TEXT,
    sender_name TEXT,
    sender_address TEXT,
    wordings TEXT NOT NULL,
    return_urls TEXT NOT NULL,
    confirmed_url TEXT,
    open INTEGER NOT NULL,
    deleting_since INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
CREATE TABLE subscription (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id INTEGER NOT NULL UNIQUE,
    feed TEXT NOT NULL,
    email TEXT NOT NULL,
    address_key TEXT NOT NULL,
    name TEXT NOT NULL,
    locale TEXT,
    status TEXT NOT NULL CHECK (status IN ('p', 'c', 'e')),
    episode TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    confirmed_at INTEGER,
    ended_at INTEGER,
    expires_at INTEGER,
    last_mail INTEGER
  ) STRICT;
CREATE TABLE displaced_subscription_id (
    fingerprint TEXT PRIMARY KEY,
    id INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE consent (
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
  ) STRICT, WITHOUT ROWID;
CREATE TABLE kept_mail (
    subscription INTEGER NOT NULL REFERENCES subscription (seq) ON DELETE CASCADE,
    message_id TEXT NOT NULL,
    PRIMARY KEY (subscription, message_id)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE instance (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE erasure (count INTEGER NOT NULL, cleaned INTEGER NOT NULL) STRICT;
CREATE TABLE suppression (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL UNIQUE,
    cause TEXT NOT NULL,
    since INTEGER NOT NULL
  ) STRICT;
CREATE TABLE spent_challenge (
    id TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE event (
    position INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
CREATE TABLE sign_up_count (
    outcome TEXT PRIMARY KEY,
    count INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (
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
    leased_until INTEGER NOT NULL DEFAULT 0
  ) STRICT;
CREATE TABLE webhook (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    types TEXT NOT NULL,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_until INTEGER,
    disabled_because TEXT,
    disabled_since INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    cursor INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER,
    paused_until INTEGER NOT NULL DEFAULT 0
  ) STRICT;
CREATE TABLE webhook_delivery (
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
    UNIQUE (webhook, position)
  ) STRICT;
CREATE TABLE mail_cap (
    address TEXT PRIMARY KEY,
    last_at INTEGER NOT NULL,
    slots TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE user_account (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    roles TEXT NOT NULL,
    search TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    tokens_not_before INTEGER
  ) STRICT;
CREATE TABLE user_role (
    role TEXT NOT NULL,
    user_seq INTEGER NOT NULL,
    PRIMARY KEY (role, user_seq)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE tombstone (
    id TEXT PRIMARY KEY,
    deleted_at INTEGER NOT NULL,
    audit INTEGER NOT NULL,
    erases_at INTEGER,
    users INTEGER NOT NULL,
    roles INTEGER NOT NULL,
    subscriptions INTEGER NOT NULL,
    mails INTEGER NOT NULL,
    subscriptions_kept INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE held_user (
    id TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    erases_at INTEGER NOT NULL,
    subscriptions TEXT NOT NULL
  ) STRICT;
CREATE TABLE audit_record (
    sequence INTEGER PRIMARY KEY,
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
    hash TEXT NOT NULL
  ) STRICT;
CREATE TABLE audit_checkpoint (
    sequence INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    at INTEGER NOT NULL,
    seal TEXT NOT NULL
  ) STRICT;
INSERT INTO kysely_migration (name, timestamp) VALUES ('0001-initial', '2026-11-23T07:22:54.527Z');
INSERT INTO kysely_migration_lock (id, is_locked) VALUES ('migration_lock', 0);
INSERT INTO feed (seq, name, title, description, language, sender_name, sender_address, wordings, return_urls, confirmed_url, open, deleting_since, created_at, updated_at) VALUES (1, 'default', 'default', '', NULL, NULL, NULL, '[]', '[]', NULL, 1, NULL, 1795418574527, 1795418574527);
INSERT INTO feed (seq, name, title, description, language, sender_name, sender_address, wordings, return_urls, confirmed_url, open, deleting_since, created_at, updated_at) VALUES (2, 'weekly', 'Weekly', '', NULL, NULL, NULL, '[{"version":1,"text":"I agree.","since":1795418579024},{"version":2,"text":"I agree, again.","since":1795418579048}]', '[]', NULL, 1, NULL, 1795418579024, 1795418579048);
INSERT INTO feed (seq, name, title, description, language, sender_name, sender_address, wordings, return_urls, confirmed_url, open, deleting_since, created_at, updated_at) VALUES (4, 'closed', 'Closed', '', NULL, NULL, NULL, '[]', '[]', NULL, 0, NULL, 1795418579075, 1795418579075);
INSERT INTO subscription (seq, id, feed, email, address_key, name, locale, status, episode, created_at, confirmed_at, ended_at, expires_at, last_mail) VALUES (1, 7195765294711783, 'weekly', 'confirmed@example.com', 'confirmed@example.com', 'Name confirmed', 'de', 'c', '9c58695c35cb5f41', 1795418579193, 1795418582715, NULL, NULL, 1);
INSERT INTO subscription (seq, id, feed, email, address_key, name, locale, status, episode, created_at, confirmed_at, ended_at, expires_at, last_mail) VALUES (2, 7075275251380268, 'weekly', 'pending@example.com', 'pending@example.com', 'Name pending', 'de', 'p', 'd5c7498a703c1235', 1795418579216, NULL, NULL, 1796023379216, 2);
INSERT INTO subscription (seq, id, feed, email, address_key, name, locale, status, episode, created_at, confirmed_at, ended_at, expires_at, last_mail) VALUES (3, 4878665363196438, 'weekly', 'ended@example.com', 'ended@example.com', 'Name ended', 'de', 'e', 'a7e26b1634a355e8', 1795418579235, 1795418582819, 1795418583141, NULL, 3);
INSERT INTO subscription (seq, id, feed, email, address_key, name, locale, status, episode, created_at, confirmed_at, ended_at, expires_at, last_mail) VALUES (4, 4052694443886567, 'weekly', 'refused@example.com', 'refused@example.com', 'Name refused', 'de', 'e', '6883c5c1bd9d9d26', 1795418579426, NULL, 1795418582922, NULL, 4);
INSERT INTO subscription (seq, id, feed, email, address_key, name, locale, status, episode, created_at, confirmed_at, ended_at, expires_at, last_mail) VALUES (6, 4218161050083791, 'weekly', 'never@example.com', 'never@example.com', 'Name never', 'de', 'c', '496d533bdf43df51', 1795418579529, 1795418583175, NULL, NULL, 6);
INSERT INTO subscription (seq, id, feed, email, address_key, name, locale, status, episode, created_at, confirmed_at, ended_at, expires_at, last_mail) VALUES (7, 5881594255274185, 'default', 'confirmed@example.com', 'confirmed@example.com', 'Again', NULL, 'p', '052897268e75b9cf', 1795418579556, NULL, NULL, 1796023379556, 7);
INSERT INTO subscription (seq, id, feed, email, address_key, name, locale, status, episode, created_at, confirmed_at, ended_at, expires_at, last_mail) VALUES (8, 1439935642161437, 'default', 'held@example.com', 'held@example.com', 'Held', NULL, 'p', '55b7e5e17484a858', 1795418579572, NULL, NULL, 1796023379572, 8);
INSERT INTO subscription (seq, id, feed, email, address_key, name, locale, status, episode, created_at, confirmed_at, ended_at, expires_at, last_mail) VALUES (9, 833951547733966, 'default', 'info@bücher.example', 'info@xn--bcher-kva.example', '𝒳 quoted', NULL, 'p', 'b5115256a5a2436d', 1795418579595, NULL, NULL, 1796023379595, 9);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (1, 1, 1795418579193, 'requested', 'form', '127.0.0.0/24', 'curl/7.88.1', 'weekly/2', 'de', 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (1, 2, 1795418582715, 'confirmed', 'link', '127.0.0.0/24', 'curl/7.88.1', 'weekly/2', 'de', 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (2, 1, 1795418579216, 'requested', 'form', '127.0.0.0/24', 'curl/7.88.1', 'weekly/2', 'de', 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (3, 1, 1795418579235, 'requested', 'form', '127.0.0.0/24', 'curl/7.88.1', 'weekly/2', 'de', 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (3, 2, 1795418582819, 'confirmed', 'link', '127.0.0.0/24', 'curl/7.88.1', 'weekly/2', 'de', 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (3, 3, 1795418583141, 'ended', 'caller:root', NULL, NULL, 'weekly/2', 'de', 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (4, 1, 1795418579426, 'requested', 'form', '127.0.0.0/24', 'curl/7.88.1', 'weekly/2', 'de', 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (4, 2, 1795418582922, 'refused', 'link', '127.0.0.0/24', 'curl/7.88.1', 'weekly/2', 'de', 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (6, 1, 1795418579529, 'requested', 'form', '127.0.0.0/24', 'curl/7.88.1', 'weekly/2', 'de', 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (6, 2, 1795418583175, 'confirmed', 'caller:root', NULL, NULL, 'weekly/2', 'de', 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (7, 1, 1795418579556, 'requested', 'form', '127.0.0.0/24', 'curl/7.88.1', 'double-opt-in/1', NULL, 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (8, 1, 1795418579572, 'requested', 'form', '127.0.0.0/24', 'curl/7.88.1', 'double-opt-in/1', NULL, 1);
INSERT INTO consent (subscription, n, at, deed, via, client_address, user_agent, wording, language, count) VALUES (9, 1, 1795418579595, 'requested', 'form', '127.0.0.0/24', 'curl/7.88.1', 'double-opt-in/1', NULL, 1);
INSERT INTO kept_mail (subscription, message_id) VALUES (1, '1yuooxvbf1j.7326f81daae05b2b612c700a@localhost');
INSERT INTO kept_mail (subscription, message_id) VALUES (2, '1xnz4kuh7vw.d99923a96035275d2d283d3f@localhost');
INSERT INTO kept_mail (subscription, message_id) VALUES (3, '1c1cbxdu906.dd4ff52c46184361027bb403@localhost');
INSERT INTO kept_mail (subscription, message_id) VALUES (4, '13wk64if4rr.69b4009eabe4f8c5eadfbe04@localhost');
INSERT INTO kept_mail (subscription, message_id) VALUES (6, '15j7ofnj1lb.53643f8ad34eb85a581ddcdf@localhost');
INSERT INTO kept_mail (subscription, message_id) VALUES (8, 'e6exavb125.d1c93b34d6755fb227cd2636@localhost');
INSERT INTO kept_mail (subscription, message_id) VALUES (9, '87m01vj2ry.8d62c0d6d5c4d8118d456510@localhost');
INSERT INTO instance (name, value) VALUES ('audit-head', '24.0c1ac1aaf31e385232a0a0ed2c8bce2382bb6bb368f19a4068739f7a72bbb4a1.1795418586572.755b170f4714c0eba856408a616b967b76fade0f9e34eb5426fd3262334cf542');
INSERT INTO instance (name, value) VALUES ('mail-owner', '2173e7c0-a812-4d5b-adc3-68061cff9718');
INSERT INTO instance (name, value) VALUES ('secret-fingerprint', '9c3ff2860db9e3e41d65e3905e756d9b');
INSERT INTO erasure (count, cleaned) VALUES (6, 6);
INSERT INTO suppression (seq, address, cause, since) VALUES (1, '79a45aae700dab3e2d7c2e660924498c', 'refused', 1795418582922);
INSERT INTO event (position, type, subject, at) VALUES (1, 'user.created', 'root', 1795418575431);
INSERT INTO event (position, type, subject, at) VALUES (2, 'user.created', 'auditor', 1795418578744);
INSERT INTO event (position, type, subject, at) VALUES (3, 'user.created', 'admin-2', 1795418578759);
INSERT INTO event (position, type, subject, at) VALUES (4, 'user.created', 'plain', 1795418578769);
INSERT INTO event (position, type, subject, at) VALUES (5, 'user.updated', 'plain', 1795418578787);
INSERT INTO event (position, type, subject, at) VALUES (6, 'user.created', 'held', 1795418578813);
INSERT INTO event (position, type, subject, at) VALUES (7, 'user.created', 'restored', 1795418578832);
INSERT INTO event (position, type, subject, at) VALUES (8, 'user.deleted', 'held', 1795418578855);
INSERT INTO event (position, type, subject, at) VALUES (9, 'user.deleted', 'restored', 1795418578932);
INSERT INTO event (position, type, subject, at) VALUES (10, 'user.created', 'restored', 1795418578964);
INSERT INTO event (position, type, subject, at) VALUES (11, 'subscription.pending', '7195765294711783', 1795418579193);
INSERT INTO event (position, type, subject, at) VALUES (12, 'subscription.pending', '7075275251380268', 1795418579216);
INSERT INTO event (position, type, subject, at) VALUES (13, 'subscription.pending', '4878665363196438', 1795418579235);
INSERT INTO event (position, type, subject, at) VALUES (14, 'subscription.pending', '4052694443886567', 1795418579426);
INSERT INTO event (position, type, subject, at) VALUES (15, 'subscription.pending', '3975319741162157', 1795418579483);
INSERT INTO event (position, type, subject, at) VALUES (16, 'subscription.pending', '4218161050083791', 1795418579529);
INSERT INTO event (position, type, subject, at) VALUES (17, 'subscription.pending', '5881594255274185', 1795418579556);
INSERT INTO event (position, type, subject, at) VALUES (18, 'subscription.pending', '1439935642161437', 1795418579572);
INSERT INTO event (position, type, subject, at) VALUES (19, 'subscription.pending', '833951547733966', 1795418579595);
INSERT INTO event (position, type, subject, at) VALUES (20, 'subscription.confirmed', '7195765294711783', 1795418582715);
INSERT INTO event (position, type, subject, at) VALUES (21, 'subscription.confirmed', '4878665363196438', 1795418582819);
INSERT INTO event (position, type, subject, at) VALUES (22, 'subscription.ended', '4052694443886567', 1795418582922);
INSERT INTO event (position, type, subject, at) VALUES (23, 'subscription.ended', '4878665363196438', 1795418583141);
INSERT INTO event (position, type, subject, at) VALUES (24, 'subscription.erased', '3975319741162157', 1795418583158);
INSERT INTO event (position, type, subject, at) VALUES (25, 'subscription.confirmed', '4218161050083791', 1795418583175);
INSERT INTO event (position, type, subject, at) VALUES (26, 'user.created', 'deleted', 1795418588738);
INSERT INTO event (position, type, subject, at) VALUES (27, 'subscription.pending', '5716192436228057', 1795418588759);
INSERT INTO event (position, type, subject, at) VALUES (28, 'subscription.erased', '5716192436228057', 1795418588800);
INSERT INTO event (position, type, subject, at) VALUES (29, 'user.deleted', 'deleted', 1795418588800);
INSERT INTO outbox (id, kind, subscription_id, address, message_id, created_at, not_before, expires_at, attempts, last_error, parked_at, owner, leased_until) VALUES (7, 'confirmation', 5881594255274185, 'b1bd819b3a24fc697a47307a7c1cf537', '1lwun3lbrgp.3b8068cdfce413338228d79b@localhost', 1795418579556, 1795419179198, 1796023379556, 0, NULL, NULL, NULL, 0);
INSERT INTO webhook (seq, name, url, types, secret, previous_secret, previous_until, disabled_because, disabled_since, created_at, updated_at, cursor, failures, failing_since, paused_until) VALUES (1, 'shop', 'https://hooks.example.com/events', 'subscription.confirmed user.deleted', '0eee56a55faf05b9eb9ed83c18a46db6', NULL, NULL, NULL, NULL, 1795418579148, 1795418579148, 29, 7, 1795418583665, 1795418593045);
INSERT INTO webhook (seq, name, url, types, secret, previous_secret, previous_until, disabled_because, disabled_since, created_at, updated_at, cursor, failures, failing_since, paused_until) VALUES (2, 'off', 'https://example.com/events', 'subscription.pending subscription.confirmed subscription.ended subscription.erased user.created user.updated user.deleted', 'e7be5ea00fa4ae8113bcd78f2adc45cd', 'eabfa74e9a50142502fbb7be205d5fe6', 1795504979176, 'by-hand', 1795418579164, 1795418579164, 1795418579176, 10, 0, NULL, 0);
INSERT INTO webhook_delivery (id, webhook, position, type, subject, at, created_at, not_before, attempts, last_error, parked_at, owner, leased_until) VALUES (1, 'shop', 20, 'subscription.confirmed', '7195765294711783', 1795418582715, 1795418583644, 1795418593829, 2, 'getaddrinfo ENOTFOUND hooks.example.com', NULL, NULL, 0);
INSERT INTO webhook_delivery (id, webhook, position, type, subject, at, created_at, not_before, attempts, last_error, parked_at, owner, leased_until) VALUES (2, 'shop', 21, 'subscription.confirmed', '4878665363196438', 1795418582819, 1795418583644, 1795418597147, 2, 'getaddrinfo ENOTFOUND hooks.example.com', NULL, NULL, 0);
INSERT INTO webhook_delivery (id, webhook, position, type, subject, at, created_at, not_before, attempts, last_error, parked_at, owner, leased_until) VALUES (3, 'shop', 25, 'subscription.confirmed', '4218161050083791', 1795418583175, 1795418583644, 1795418594486, 2, 'getaddrinfo ENOTFOUND hooks.example.com', NULL, NULL, 0);
INSERT INTO webhook_delivery (id, webhook, position, type, subject, at, created_at, not_before, attempts, last_error, parked_at, owner, leased_until) VALUES (4, 'shop', 29, 'user.deleted', 'deleted', 1795418588800, 1795418590585, 1795418593634, 1, 'getaddrinfo ENOTFOUND hooks.example.com', NULL, NULL, 0);
INSERT INTO mail_cap (address, last_at, slots) VALUES ('129667f3dc2fcd4c472cf9265dd1f046', 1795418579489, '[{"at":1795418579489,"messageId":"1354soe69bh.edc4d92af252401a1ed0b54a@localhost"}]');
INSERT INTO mail_cap (address, last_at, slots) VALUES ('17f442a0790079612003b2219d25e8e6', 1795418579538, '[{"at":1795418579538,"messageId":"15j7ofnj1lb.53643f8ad34eb85a581ddcdf@localhost"}]');
INSERT INTO mail_cap (address, last_at, slots) VALUES ('79a45aae700dab3e2d7c2e660924498c', 1795418579428, '[{"at":1795418579428,"messageId":"13wk64if4rr.69b4009eabe4f8c5eadfbe04@localhost"}]');
INSERT INTO mail_cap (address, last_at, slots) VALUES ('806d2f526f1c92069848e17468ae88bf', 1795418579596, '[{"at":1795418579596,"messageId":"87m01vj2ry.8d62c0d6d5c4d8118d456510@localhost"}]');
INSERT INTO mail_cap (address, last_at, slots) VALUES ('90c25395c91d83dd94aa09f694fad369', 1795418579238, '[{"at":1795418579238,"messageId":"1c1cbxdu906.dd4ff52c46184361027bb403@localhost"}]');
INSERT INTO mail_cap (address, last_at, slots) VALUES ('b1bd819b3a24fc697a47307a7c1cf537', 1795418579198, '[{"at":1795418579198,"messageId":"1yuooxvbf1j.7326f81daae05b2b612c700a@localhost"}]');
INSERT INTO mail_cap (address, last_at, slots) VALUES ('b562ee8625e18ebaf7a030b3503cad00', 1795418579573, '[{"at":1795418579573,"messageId":"e6exavb125.d1c93b34d6755fb227cd2636@localhost"}]');
INSERT INTO mail_cap (address, last_at, slots) VALUES ('b7dffae61346689e306986e6b24fa8d1', 1795418588761, '[{"at":1795418588761,"messageId":"1ka7yjwtcd5.8569deddef6269d8888017af@localhost"}]');
INSERT INTO mail_cap (address, last_at, slots) VALUES ('b8823e4c96332a119289465ae1e68dfc', 1795418579218, '[{"at":1795418579218,"messageId":"1xnz4kuh7vw.d99923a96035275d2d283d3f@localhost"}]');
INSERT INTO user_account (seq, id, email, email_key, name, roles, search, created_at, updated_at, tokens_not_before) VALUES (1, 'root', 'root@example.com', 'root@example.com', 'Root Administrator', '["admin"]', 'root
root administrator
root@example.com', 1795418575431, 1795418575431, NULL);
INSERT INTO user_account (seq, id, email, email_key, name, roles, search, created_at, updated_at, tokens_not_before) VALUES (2, 'auditor', 'zoe@bücher.example', 'zoe@xn--bcher-kva.example', 'Zoë "quoted" O''Neil', '["auditor"]', 'auditor
zoë "quoted" o''neil
zoe@bücher.example', 1795418578744, 1795418578744, NULL);
INSERT INTO user_account (seq, id, email, email_key, name, roles, search, created_at, updated_at, tokens_not_before) VALUES (3, 'admin-2', 'two@example.com', 'two@example.com', 'Two', '["admin","auditor"]', 'admin-2
two
two@example.com', 1795418578759, 1795418578759, NULL);
INSERT INTO user_account (seq, id, email, email_key, name, roles, search, created_at, updated_at, tokens_not_before) VALUES (4, 'plain', 'plain@example.com', 'plain@example.com', 'Plain', '[]', 'plain
plain
plain@example.com', 1795418578769, 1795418578787, NULL);
INSERT INTO user_account (seq, id, email, email_key, name, roles, search, created_at, updated_at, tokens_not_before) VALUES (7, 'restored', 'restored@example.com', 'restored@example.com', 'restored one', '["auditor"]', 'restored
restored one
restored@example.com', 1795418578832, 1795418578964, 1795418578931);
INSERT INTO user_role (role, user_seq) VALUES ('admin', 1);
INSERT INTO user_role (role, user_seq) VALUES ('admin', 3);
INSERT INTO user_role (role, user_seq) VALUES ('auditor', 2);
INSERT INTO user_role (role, user_seq) VALUES ('auditor', 3);
INSERT INTO user_role (role, user_seq) VALUES ('auditor', 7);
INSERT INTO tombstone (id, deleted_at, audit, erases_at, users, roles, subscriptions, mails, subscriptions_kept) VALUES ('deleted', 1795418588800, 26, NULL, 1, 1, 1, 1, 0);
INSERT INTO tombstone (id, deleted_at, audit, erases_at, users, roles, subscriptions, mails, subscriptions_kept) VALUES ('held', 1795418578855, 9, 1798010578854, 0, 0, 0, 0, 0);
INSERT INTO held_user (id, record, deleted_at, erases_at, subscriptions) VALUES ('held', '{"id":"held","email":"held@example.com","emailKey":"held@example.com","name":"held one","roles":["auditor"],"createdAt":1795418578813,"updatedAt":1795418578813}', 1795418578854, 1798010578854, 'erase');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (1, 1795418575431, 'operator:root', 'operator', NULL, 'cli', NULL, 'user.put', 'root', 'done', NULL, 1, '75dfa05c31197327279fa9dc11b9cae9b8d483338dd35ffeb2ea8688383d6632');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (2, 1795418578679, 'operator:root', 'operator', NULL, 'cli', NULL, 'token.issue', 'root', 'done', 'token G-LbOOSDy00UOK8cWjaIkw', 1, '777d36b65394b320a42e9e20b244cab7b5262fec4bbec6821b5d8995c9ce9e29');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (3, 1795418578744, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '2b19c65f-1a36-46d3-a8ae-536a39f9a873', 'user.put', 'auditor', 'done', NULL, 1, 'fc43b96d22079046b33cb9a28d435c7cec27ab73526f37fde1eb6f3081f95988');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (4, 1795418578759, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '486fe06e-eb39-474a-bb23-5352bd2dd711', 'user.put', 'admin-2', 'done', NULL, 1, '8c5965715b5a8fc629f29d3804f7c34f47e3f05cb0ed85f438a70fd1424004ee');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (5, 1795418578769, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', 'fc2e08ca-d436-4bd7-a08f-9d7bb850acee', 'user.put', 'plain', 'done', NULL, 1, '1d4e0eef894ca11f6a1fbec05c4c2a2f676bec37d2088cf75ecb964a35d98974');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (6, 1795418578787, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '331aeebf-5353-46ad-9850-3e210e64aaad', 'user.put', 'plain', 'done', NULL, 1, '19e769a1f12db5b2f1cb352703f9fa496f01a69c95456b3dbcfddbd2098efed9');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (7, 1795418578814, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '7ec9fede-baad-4cac-9b1a-0f958c9066cb', 'user.put', 'held', 'done', NULL, 1, 'a46ad49f482f271cb2da864a3d2a6d1f3c1ab61f3c450029a0e9fee38e6d8fe9');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (8, 1795418578832, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '37d0a157-c19e-405b-aa48-b210d3901ba1', 'user.put', 'restored', 'done', NULL, 1, '75cb58e6d43a1f73d39868a8acd8e7eed9d92562f1f5c79788de78f65331ceae');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (9, 1795418578855, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', 'fb49f5f1-de0f-471a-952b-aa30e0176f10', 'user.delete', 'held', 'done', 'left', 1, 'c2f06a054aa641d3a9614f6663399415826ca7b074cb3e37d6dad6b43983aeb5');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (10, 1795418578932, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '1062a41e-a5f4-4d1a-aa00-86f23a857478', 'user.delete', 'restored', 'done', NULL, 1, '0c0d7cb3e7a678057bd609538fb8f47d201c0cbfcd9a210a12bbee140c654818');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (11, 1795418578965, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '604a10d3-fa76-4be6-96b8-1510a3e026ad', 'user.restore', 'restored', 'done', 'a mistake', 1, 'a997b711366f7d7de75364010f4d0cd8c80b16f9bd56faa2ef668a4a66adc333');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (12, 1795418579024, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '18b94840-2a79-44e5-b653-3d69b604aa69', 'feed.put', 'weekly', 'done', NULL, 1, '2bfad1db4577e791068d63cbfa81b725ea3f68329eab19834a661d8f1d628e33');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (13, 1795418579048, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '5eb0d434-28b4-49a1-bdf6-f9202f0b01f3', 'feed.put', 'weekly', 'done', NULL, 1, 'd1f81ef004e65c106ea35f10d8cc1d1a2529cb399cf47358ba88109843355149');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (14, 1795418579075, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '784b3138-22ec-4a25-8bc6-caaae907e9b6', 'feed.put', 'closed', 'done', NULL, 1, '4a79c41d9ee874212bd8c5ec83e6c92dcc34f28bb1f0f3670e044da90db66c89');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (15, 1795418579110, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '11741334-dd1a-4dc7-8b9b-0c7183ab5498', 'feed.put', 'gone', 'done', NULL, 1, '27ba8adc704c84e5327cd198ea3a6d181743576183ddfcdbdd08e0c5feb2d300');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (16, 1795418579124, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '991edbad-8893-418f-995a-28b682356cb1', 'feed.delete', 'gone', 'done', NULL, 1, 'c12a974b7e6fe2b25e55e6242c5dd385dafc34cc7c26f01054e6b3b45ea55acb');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (17, 1795418579148, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '63c75e69-27ad-48ee-91fe-d286d34900b1', 'webhook.put', 'shop', 'done', NULL, 1, 'a8e17d3cb902fa3727a7c6f50ee95aa5f9655126c6981a72320e263884939769');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (18, 1795418579164, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '6938cfdd-2a5e-432e-b5f3-bff004677627', 'webhook.put', 'off', 'done', NULL, 1, '8770224b522795d46a1adf200b8734e665a01b53bbd549a668206afbc8665217');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (19, 1795418579176, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '5bb598a0-68a0-49b2-ae0b-cb1af3c1e61a', 'webhook.rotate', 'off', 'done', NULL, 1, 'f112ae404748c8f2c016a8cb200e0e88ee7bd58819c57573cf4fc88c5db87695');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (20, 1795418583141, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', 'cbe9aa6b-c1fe-43cb-81e4-477d115cf3b8', 'subscription.end', '4878665363196438', 'done', 'by letter', 1, '0a5c8e60ec4ac097e7b630c4935b3b4d721c92480f36e78fe91cad24740d37db');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (21, 1795418583158, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', 'b0c83bd7-c2d4-4eac-8afe-7011159ff806', 'subscription.erase', '3975319741162157', 'done', NULL, 1, 'b506cdce2545b0d188d00eb7c04212558efd76deeb0f4fa2e257cbd9b5f77292');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (22, 1795418583175, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '82988831-6e83-4dbd-87cf-24eb4c4f418c', 'subscription.confirm', '4218161050083791', 'done', 'by letter', 1, 'ce3ad0dd959219e571c9fe281f6363ca16ddc62e207096e40c2e5a279a0903c1');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (23, 1795418583528, 'operator:root', 'operator', NULL, 'cli', NULL, 'token.issue', 'someone', 'done', 'token dAG457V3sJsvuXz2InGCNQ', 1, 'b7b224862249944b6a8eb4a63760011ca3f85125fbc2567a6cf9331e1b4a1187');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (24, 1795418583565, 'someone', 'token', 'dAG457V3sJsvuXz2InGCNQ', 'http', '4cf158a0-7897-4247-b902-b10bfe809fe7', 'user.delete', 'root', 'InsufficientPermissions', NULL, 1, '0c1ac1aaf31e385232a0a0ed2c8bce2382bb6bb368f19a4068739f7a72bbb4a1');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (25, 1795418588738, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '6e7e06cb-f2d7-4a0b-b8c9-6567fc049b04', 'user.put', 'deleted', 'done', NULL, 1, '96f2523b1e33cecc828268265a401cac6d820dea8043446598c56ce0cdfac7bb');
INSERT INTO audit_record (sequence, at, actor, role_source, token_id, channel, request_id, action, target, outcome, reason, count, hash) VALUES (26, 1795418588800, 'root', 'stored', 'G-LbOOSDy00UOK8cWjaIkw', 'http', '337c4a7c-2623-4084-81da-5a673de7186a', 'user.delete', 'deleted', 'done', 'asked', 1, 'c9097d53ad50fb4c714829201818fe92f44286b2f4dd76706ea54ccefc7564ca');
INSERT INTO audit_checkpoint (sequence, hash, at, seal) VALUES (24, '0c1ac1aaf31e385232a0a0ed2c8bce2382bb6bb368f19a4068739f7a72bbb4a1', 1795418586572, '755b170f4714c0eba856408a616b967b76fade0f9e34eb5426fd3262334cf542');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence (name, seq) VALUES ('feed', 5);
INSERT INTO sqlite_sequence (name, seq) VALUES ('user_account', 8);
INSERT INTO sqlite_sequence (name, seq) VALUES ('webhook', 3);
INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', 10);
INSERT INTO sqlite_sequence (name, seq) VALUES ('subscription', 10);
INSERT INTO sqlite_sequence (name, seq) VALUES ('suppression', 1);
INSERT INTO sqlite_sequence (name, seq) VALUES ('webhook_delivery', 4);
CREATE INDEX subscription_expiry ON subscription (expires_at) WHERE status = 'p';
CREATE INDEX subscription_list ON subscription (feed, status);
CREATE INDEX subscription_status ON subscription (status);
CREATE INDEX spent_challenge_age ON spent_challenge (expires_at);
CREATE INDEX outbox_due ON outbox (not_before) WHERE parked_at IS NULL;
CREATE INDEX outbox_parked ON outbox (id) WHERE parked_at IS NOT NULL;
CREATE INDEX outbox_leased ON outbox (owner) WHERE owner IS NOT NULL;
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook, not_before) WHERE parked_at IS NULL;
CREATE INDEX webhook_delivery_subject ON webhook_delivery (webhook, subject, position) WHERE parked_at IS NULL;
CREATE INDEX webhook_delivery_parked ON webhook_delivery (id) WHERE parked_at IS NOT NULL;
CREATE INDEX webhook_delivery_leased ON webhook_delivery (owner) WHERE owner IS NOT NULL;
CREATE INDEX mail_cap_age ON mail_cap (last_at);
CREATE INDEX held_user_due ON held_user (erases_at);
CREATE TRIGGER audit_checkpoint_in_turn BEFORE INSERT ON audit_checkpoint
    WHEN NEW.sequence <= (SELECT coalesce(max(sequence), 0) FROM audit_checkpoint)
    BEGIN SELECT RAISE(ABORT, 'this record is sealed already'); END;
CREATE TRIGGER audit_checkpoint_unchanged BEFORE UPDATE ON audit_checkpoint
    BEGIN SELECT RAISE(ABORT, 'audit checkpoints never change'); END;
CREATE TRIGGER audit_checkpoint_kept BEFORE DELETE ON audit_checkpoint
    BEGIN SELECT RAISE(ABORT, 'audit checkpoints are never removed'); END;
CREATE TRIGGER audit_record_in_turn BEFORE INSERT ON audit_record
    WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM audit_record)
    BEGIN SELECT RAISE(ABORT, 'this audit record is not the next'); END;
CREATE TRIGGER audit_record_unchanged BEFORE UPDATE ON audit_record
    BEGIN SELECT RAISE(ABORT, 'audit records never change'); END;
CREATE TRIGGER audit_record_kept BEFORE DELETE ON audit_record
    BEGIN SELECT RAISE(ABORT, 'audit records are never removed'); END;

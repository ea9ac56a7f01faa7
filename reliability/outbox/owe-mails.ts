import type pg from 'pg'

/**
 * Has so many confirmations be owed, each to an address of its own, and writes down whoever takes an entry from somebody
 * whose lease has not run out.
 */
export const oweMails = async (client: Pick<pg.Client, 'query'>, count: number): Promise<void> => {
  for (const statement of WATCH) await client.query(statement)
  await client.query(SUBSCRIPTIONS, [count, Date.now(), Date.now() + 7 * 86_400_000])
  await client.query(MAILS, [Date.now(), Date.now() + 7 * 86_400_000])
  await client.query('ANALYZE')
}

const SUBSCRIPTIONS = `INSERT INTO subscription (id, feed, email, address_key, name, status, episode, created_at, expires_at)
  SELECT n, 'default', 'owed.' || n || '@' || (n % 997) || '.example', 'owed.' || n || '@' || (n % 997) || '.example', '',
    'p', md5(n::text), $2::bigint, $3::bigint
  FROM generate_series(1, $1::bigint) AS n`
const MAILS = `INSERT INTO outbox (kind, subscription_id, address, message_id, created_at, not_before, expires_at)
  SELECT 'confirmation', id, md5(email), md5(email) || '@outbox.example', $1::bigint, $1::bigint, $2::bigint
  FROM subscription ORDER BY id`

// The database's own eyes: whatever the workers believe, it sees who holds what.
const WATCH = [
  'CREATE TABLE robbery (entry bigint, robbed text, robber text)',
  `CREATE FUNCTION watch_leases() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.leased_until > extract(epoch FROM clock_timestamp()) * 1000 THEN
        INSERT INTO robbery VALUES (OLD.id, OLD.owner, NEW.owner);
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER watch_leases BEFORE UPDATE OF owner ON outbox FOR EACH ROW
    WHEN (OLD.owner IS NOT NULL AND NEW.owner IS NOT NULL AND OLD.owner <> NEW.owner) EXECUTE FUNCTION watch_leases()`,
]

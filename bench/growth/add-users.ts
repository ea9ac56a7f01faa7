import Database from 'better-sqlite3'

/**
 * Users beside those that are deleted, straight into the database: over HTTP a million would take minutes. Their ids
 * and addresses come in no order, like those of the others.
 */
export const addUsers = (file: string, count: number): void => {
  const database = new Database(file)
  try {
    database.pragma('synchronous = OFF')
    database
      .prepare<[number]>(
        `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?),
           named(word) AS (SELECT 'grown.' || printf('%09d', n * 7368787 % 1000000000) FROM number)
         INSERT INTO user_account (id, email, email_key, name, roles, search, created_at, updated_at)
         SELECT word, word || '@example.com', word || '@example.com', 'Brian Smith', '["auditor"]',
           word || ' brian smith', 1767225600000, 1767225600000 FROM named`,
      )
      .run(count)
    database.exec("INSERT OR IGNORE INTO user_role SELECT 'auditor', seq FROM user_account WHERE id LIKE 'grown.%'")
    database.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}

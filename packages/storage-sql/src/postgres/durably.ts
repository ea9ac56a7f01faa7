/**
 * Makes the commit of the transaction in which it is evaluated wait for the disk, where `synchronous_commit` is `off`.
 * The other values all wait for the disk and differ in what they ask of standbys, which is the operator's choice.
 *
 * Setting it for the session is not enough: behind a pooler the next transaction may run in another session.
 */
export const DURABLE =
  "CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END"

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE)\b/i
const RETURNS = /\bRETURNING\b/i

/**
 * A statement that is a transaction by itself, so that its commit is on disk before it is answered. It gives the same
 * rows; one that does not write stays as it is.
 */
export const durably = (text: string): string => {
  if (!WRITES.test(text)) return text
  const written = `WITH written AS (${text.replace(/;\s*$/, '')})`
  return RETURNS.test(text) ? `${written} SELECT written.*, ${DURABLE} FROM written` : `${written} SELECT ${DURABLE}`
}

/** The last migration is not applied yet, and there are moves of which one has led to what the new address had before. */
export const MOVES_OF_BEFORE = `
  DELETE FROM kysely_migration WHERE name = '0019-before-a-move';
  INSERT INTO subscription
    (id, feed, email, address_key, name, status, episode, created_at, confirmed_at)
    VALUES (701, 'default', 'a@example.com', 'a@example.com', '', 'c', 'begun', 5, 5),
      (702, 'default', 'b@example.com', 'b@example.com', '', 'c', 'begun', 5, 5);
  INSERT INTO consent (subscription, n, at, deed, via, wording, language, count)
    SELECT seq, 1, 5, CASE id WHEN 701 THEN 'moved' ELSE 'confirmed' END, 'link', 'w', 'en', 1 FROM subscription
      WHERE id IN (701, 702);
  INSERT INTO moved_subscription (old_id, new_id, episode, new_episode, move)
    VALUES (1, 701, '', NULL, NULL), (2, 702, '', NULL, NULL), (3, 702, 'ended', NULL, 3)`

/** The old ones of which it is still known what they have become. */
export const LEFT_OF_THEM = ['1', '3']

import type pg from 'pg'

/**
 * Whether the server warned meanwhile: a commit that was to wait for a standby and did not is done all the same, with a
 * warning and nothing else.
 */
export const warnedDuring = async <Answer>(
  connection: Pick<pg.ClientBase, 'off' | 'on'>,
  send: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly warned: boolean }> => {
  let warned = false
  const onNotice = (): void => {
    warned = true
  }
  connection.on('notice', onNotice)
  try {
    return { answer: await send(), warned }
  } finally {
    connection.off('notice', onNotice)
  }
}
